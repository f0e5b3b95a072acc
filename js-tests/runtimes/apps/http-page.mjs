// A page: skills of servers that are not its own, with and without their consent.

import { checked } from "./http.mjs";

const sites = await fetch("/trees.json");
await checked(await sites.text());
await fetch("/answer", { method: "POST", body: "checked" });
