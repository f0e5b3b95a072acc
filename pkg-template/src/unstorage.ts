/**
 * `skillshelf/unstorage`: a store of unstorage as a host, so Redis, S3, KV and whatever else it has a
 * driver for. The storage is the caller's; this package imports nothing of unstorage.
 *
 * @module
 */
import { quoted } from "./hosts/arguments.js";
import { type KeyValueStorage, keyValueHost } from "./hosts/key-value.js";
import type { Host } from "./types.js";

export type { KeyValueStorage };

/** Where in the store the skills are. */
export interface UnstorageHostOptions {
  /** The key below which the skills are, such as `skills` or `team:skills`; all keys by default. */
  base?: string;
}

/**
 * The items of a store as a host: the key `skills:pdf:SKILL.md` is the file `pdf/SKILL.md` below the
 * base `skills`.
 *
 * ```ts
 * const storage = createStorage({ driver: redisDriver({ url: "redis://127.0.0.1:6379" }) });
 * await storage.setItemRaw("skills:pdf:SKILL.md", bytes);
 * const catalog = await loadSkills({ host: unstorageHost(storage, { base: "skills" }), label: "team" });
 * ```
 *
 * Any number of processes may share one store. Write files with `setItemRaw`, as bytes, and a skill's
 * `SKILL.md` last. No name in a key can have `:`, `?`, `/` or `\` in it, and none of a file can end in
 * `$`.
 */
export function unstorageHost(storage: KeyValueStorage, options: UnstorageHostOptions = {}): Host {
  const { getKeys, getItemRaw } = (storage ?? {}) as Partial<KeyValueStorage>;
  if (typeof getKeys !== "function" || typeof getItemRaw !== "function") {
    throw new TypeError(
      "unstorageHost takes a storage with getKeys and getItemRaw, such as createStorage() of unstorage gives.",
    );
  }
  if (typeof options === "string") {
    throw new TypeError(`unstorageHost takes options: { base: ${quoted(options)} }.`);
  }
  const unknown = Object.keys(options).find((name) => name !== "base");
  if (unknown !== undefined) {
    throw new TypeError(`unstorageHost has no option ${quoted(unknown)}; its one option is base.`);
  }
  return keyValueHost(storage, baseOf(options.base === undefined ? "" : options.base));
}

/** In the form of keys; stores would read it so. */
function baseOf(base: string): string {
  const names = typeof base === "string" ? base.split(/[:/\\]+/).filter((name) => name !== "") : [];
  const isKey = names.every((name) => !/^\.{1,2}$|[?\0]/.test(name));
  if (typeof base !== "string" || !isKey) {
    const shown = typeof base === "string" ? quoted(base) : typeof base;
    throw new TypeError(
      `base of unstorageHost is the beginning of keys, such as "team:skills", without "?" and ".."; it is ${shown}.`,
    );
  }
  return names.join(":");
}
