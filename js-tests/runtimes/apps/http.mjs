// `httpHost`, with the package and its peers as they are imported.

import { httpHost } from "skillshelf/http";
import { checkHttp } from "../http.mjs";

/** Takes the addresses of the sites as JSON text. */
export const checked = (sites) => checkHttp(httpHost, JSON.parse(sites));
