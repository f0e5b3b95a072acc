// Hosts of several makes over the same files.

import { type Host, type HostEntry, memoryHost, type SyncHost } from "skillshelf";

export type Files = Record<string, string | Uint8Array>;

/** The smallest host: `list`, and `read` of whole files. */
export function smallHost(files: Files): SyncHost {
  const memory = memoryHost(files);
  return { list: (directory) => memory.list(directory), read: (file) => memory.read(file) };
}

/** With ranges, and no more. */
export function rangesHost(files: Files): SyncHost {
  const memory = memoryHost(files);
  return {
    ranges: true,
    list: (directory) => memory.list(directory),
    read: (file, range) => memory.read(file, range),
  };
}

/** With `stat`, and no more. */
export function statHost(files: Files): SyncHost {
  return withStat(memoryHost(files));
}

function withStat(memory: SyncHost): SyncHost {
  return {
    list: (directory) => memory.list(directory),
    read: (file) => memory.read(file),
    stat: (path) => memory.stat?.(path),
  };
}

/** With `realPath`, but without `open`. */
export function realPathHost(files: Files): SyncHost {
  return withRealPath(memoryHost(files));
}

function withRealPath(memory: SyncHost): SyncHost {
  return {
    ...withStat(memory),
    realPath: (path) => {
      if (memory.stat?.(path) === undefined) throw missing(path);
      return `/${path}`;
    },
  };
}

/** With everything: as the disk's host. */
export function openHost(files: Files): SyncHost {
  const memory = memoryHost(files);
  return {
    ...withRealPath(memory),
    open: (file) => {
      const stat = memory.stat?.(file);
      if (stat === undefined) throw missing(file);
      return {
        ...stat,
        realPath: `/${file}`,
        read: (range) => memory.read(file, range),
        close: () => {},
      };
    },
  };
}

/** Every make of host there is, by name. */
export const MAKES: Readonly<Record<string, (files: Files) => SyncHost>> = {
  memoryHost: memoryHost,
  "list and read": smallHost,
  "list, read and ranges": rangesHost,
  "list, read and stat": statHost,
  "realPath without open": realPathHost,
  open: openHost,
};

/** The same host with promises, each kept a moment later. */
export function withPromises(host: SyncHost): Host {
  const later = async <T>(work: () => T): Promise<T> => {
    await null;
    return work();
  };
  const { stat, realPath, open } = host;
  return {
    list: (directory) => later(() => host.list(directory)),
    read: (file, range) => later(() => host.read(file, range)),
    ...(host.ranges === undefined ? {} : { ranges: host.ranges }),
    ...(stat && { stat: (path) => later(() => stat.call(host, path)) }),
    ...(realPath && { realPath: (path) => later(() => realPath.call(host, path)) }),
    ...(open && {
      open: async (file, options) => {
        const opened = await later(() => open.call(host, file, options));
        return {
          ...opened,
          read: (range) => later(() => opened.read(range)),
          close: () => later(() => opened.close()),
        };
      },
    }),
  };
}

/** A host whose calls are counted: `method path`, in their order. */
export function countedHost(host: SyncHost): { host: SyncHost; calls: string[] } {
  const calls: string[] = [];
  const note = (method: string, path: string): void => {
    calls.push(`${method} ${path}`);
  };
  const { stat, realPath, open } = host;
  const counted: SyncHost = {
    list: (directory) => {
      note("list", directory);
      return host.list(directory);
    },
    read: (file, range) => {
      note("read", file);
      return host.read(file, range);
    },
    ...(host.ranges === undefined ? {} : { ranges: host.ranges }),
    ...(stat && {
      stat: (path: string) => {
        note("stat", path);
        return stat.call(host, path);
      },
    }),
    ...(realPath && {
      realPath: (path: string) => {
        note("realPath", path);
        return realPath.call(host, path);
      },
    }),
    ...(open && {
      open: (file: string, options?: { noFollow?: boolean }) => {
        note("open", file);
        return open.call(host, file, options);
      },
    }),
  };
  return { host: counted, calls };
}

/** A host that lists its entries in another order. */
export function reorderedHost(
  host: SyncHost,
  order: (entries: HostEntry[]) => HostEntry[],
): SyncHost {
  return new Proxy(host, {
    get: (target, key) => {
      if (key === "list") return (directory: string) => order([...target.list(directory)]);
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** A disk that folds case: any spelling opens a file, and listings tell the real one. */
export function foldingHost(files: Files): SyncHost {
  const memory = memoryHost(files);
  const real = (path: string): string => {
    let directory = "";
    for (const name of path === "" ? [] : path.split("/")) {
      const entry = memory
        .list(directory)
        .find((one) => one.name.toLowerCase() === name.toLowerCase());
      if (entry === undefined) throw missing(path);
      directory = directory === "" ? entry.name : `${directory}/${entry.name}`;
    }
    return directory;
  };
  return {
    list: (directory) => memory.list(real(directory)),
    read: (file, range) => memory.read(real(file), range),
    ranges: true,
    stat: (path) => {
      try {
        return memory.stat?.(real(path));
      } catch {
        return undefined;
      }
    },
  };
}

export function missing(path: string): Error {
  return Object.assign(new Error(`nothing at ${path}`), { code: "ENOENT" });
}
