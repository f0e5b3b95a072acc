// Off the page's own thread: the library, and everything that reads skills.

import wasm from "skillshelf/skillshelf.wasm?url";
import { init } from "skillshelf/slim";
import { Conversation } from "./conversation.ts";
import { methodsOf, type Port, serve } from "./rpc.ts";
import type { Given, IndexOptions, Progress, Update } from "./shapes.ts";
import { Shelf } from "./shelf.ts";
import { sizeOf } from "./size.ts";

const port = self as unknown as Port;
const tell = (progress: Progress) => port.postMessage({ progress }, []);
/** The folder of the site: scripts are one below it. */
const site = new URL(import.meta.env.DEV ? "/" : "../", self.location.href).href;

const ready = init(fetch(new URL(wasm, self.location.href)));
const shelf = new Shelf(site, tell);
const conversation = new Conversation(shelf);

/** What the page can ask for. */
const engine = {
  async open(given: Given, options: IndexOptions): Promise<Update | undefined> {
    await ready;
    return shelf.open(given, options);
  },
  async stop(): Promise<void> {
    // What was asked for before waits for the same, and has begun by then.
    await ready;
    shelf.stop();
  },
  ...methodsOf(shelf, ["reload", "index", "measure", "search", "fitting", "files", "text"]),
  ...methodsOf(shelf, ["check", "edit", "revert", "mended", "zip", "read"]),
  ...methodsOf(conversation, ["begin", "system", "tools", "call", "expand", "complete"]),
  ...methodsOf(conversation, ["unload", "compact", "loaded"]),
  size: (text: string) => sizeOf(text),
};

export type Engine = typeof engine;

serve(port, engine, Object.keys(engine) as (keyof Engine)[]);
