// Off the page's own thread: the library, and everything that reads skills.

import wasm from "skillshelf/skillshelf.wasm?url";
import { init } from "skillshelf/slim";
import { Conversation } from "./conversation.ts";
import { type Port, serve } from "./rpc.ts";
import type { Given, IndexOptions, Progress, Shown } from "./shapes.ts";
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
  async open(given: Given, options: IndexOptions): Promise<Shown | undefined> {
    await ready;
    return shelf.open(given, options);
  },
  stop: () => shelf.stop(),
  reload: (options: IndexOptions) => shelf.reload(options),
  index: (options: IndexOptions) => shelf.index(options),
  measure: () => shelf.measure(),
  search: (query: string, limit: number) => shelf.search(query, limit),
  files: (path: string) => shelf.files(path),
  text: (path: string) => shelf.text(path),
  check: (path: string, text: string) => shelf.check(path, text),
  edit: (...given: Parameters<Shelf["edit"]>) => shelf.edit(...given),
  revert: (path: string, options: IndexOptions) => shelf.revert(path, options),
  mended: (text: string) => shelf.mended(text),
  zip: () => shelf.zip(),
  size: (text: string) => sizeOf(text),
  /** Outside of any conversation. */
  async read(skill: string, path: string) {
    const { bytes: _, ...result } = await shelf.catalog.call("read_skill_file", { skill, path });
    return result;
  },
  /** The skill that fits a task best, of those that a model may load. */
  async fitting(task: string) {
    const { catalog } = shelf;
    const hits = await shelf.found(task, Math.max(1, catalog.size));
    const best = hits.find(({ skill }) => skill.modelInvocable);
    return best && { name: best.skill.name, matched: best.matched };
  },
  begin: (options: IndexOptions) => conversation.begin(options),
  system: (options: IndexOptions) => conversation.system(options),
  tools: () => conversation.tools(),
  call: (tool: string, args: unknown) => conversation.call(tool, args),
  expand: (...given: Parameters<Conversation["expand"]>) => conversation.expand(...given),
  complete: (...given: Parameters<Conversation["complete"]>) => conversation.complete(...given),
  unload: (name: string) => conversation.unload(name),
  compact: (tokens: number) => conversation.compact(tokens),
  loaded: () => conversation.loaded(),
};

export type Engine = typeof engine;

serve(port, engine, Object.keys(engine) as (keyof Engine)[]);
