// The same for servers: prints the names of the skills in a directory, the first argument.

import { loadSkills } from "skillshelf";

loadSkills(process.argv[2]).then((catalog) => console.log(catalog.names.join(", ")));
