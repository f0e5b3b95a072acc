// For bundlers, in a project without the packages that archives need: prints what is said of it.

import { archiveHost } from "skillshelf/archive";
import { httpHost } from "skillshelf/http";

const ZIP = "UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==";
const bytes = Uint8Array.from(atob(ZIP), (unit) => unit.charCodeAt(0));

const entry = {
  name: "a",
  type: "archive",
  description: "d",
  url: "a.zip",
  digest: "sha256:8739c76e681f900923b900c9df0ef75cf421d39cabb54650c4b9ad19b6a76d85",
};
const index = {
  $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
  skills: [entry],
};
const host = httpHost("https://a.example/index.json", {
  fetch: async (url) => new Response(url.endsWith(".zip") ? bytes : JSON.stringify(index)),
});

const said = (listing) =>
  listing.then(
    () => "nothing",
    ({ code, message }) => `${code} ${message.split(" ", 1)[0]}`,
  );

Promise.all([said(archiveHost(bytes).list("")), said(host.list("a"))]).then((all) =>
  console.log(all.join(", ")),
);
