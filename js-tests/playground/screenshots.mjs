// The pictures of README.md: `UPDATE_SCREENSHOTS=1 cargo xtask test playground` makes them anew.

import path from "node:path";
import { pathToFileURL } from "node:url";
import { launched } from "./browsers.mjs";
import { visit } from "./person.mjs";
import { closedProxy } from "./proxy.mjs";

const [folder] = process.argv.slice(2);
const built = process.env.PLAYGROUND_SITE;
const { serve } = await import(pathToFileURL(path.join(built, "../serve.mjs")).href);

/** What is to be seen on each, and what a person does for it. */
const PICTURES = {
  "playground-index": {
    hash: "#budget=300",
    see: (person) => person.untilText("#index-facts", "shortened"),
  },
  "playground-try": {
    hash: "#view=try",
    see: async (person) => {
      await person.type("#task", "Review my pull request for security problems");
      await person.press("Send");
      await person.untilText("#view-try .entry:last-child", "only searche");
      await person.untilText(".loaded", "code-review");
    },
  },
};

const [site, proxy] = await Promise.all([serve(built), closedProxy()]);
const browser = await launched("chromium", proxy.port);
for (const [name, { hash, see }] of Object.entries(PICTURES)) {
  const person = await visit(browser, site, { hash, width: 1280, height: 940 });
  await person.untilText("#cost-pasted", "tokens");
  await see(person);
  // Bars grow until they are as long as what they show.
  await person.until("document.getAnimations().length === 0");
  await person.page.mouse.move(0, 0);
  await person.page.screenshot({
    path: path.join(folder, `${name}.webp`),
    type: "webp",
    quality: 80,
  });
  await person.leave();
}
await Promise.all([browser.close(), site.close(), proxy.close()]);
