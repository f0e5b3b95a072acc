// `skillshelf/fs` and `skillshelf/unstorage` over what is shaped as they want it, made of maps: what
// every host must do, they do in every runtime. With the packages that people have for that they are
// tested in Node (`js-tests/stores/`).

/** Throws where a host does not do what it must. */
export async function checkStores({ fsHost, unstorageHost, hostConformance }) {
  const hosts = {
    fs: (files) => fsHost(fileSystemOf(files), "/skills"),
    "fs, at once": (files) => fsHost.sync(fileSystemAtOnce(fileSystemOf(files).entries), "/skills"),
    unstorage: (files) => unstorageHost(storageOf(files), { base: "skills" }),
  };
  for (const [title, makeHost] of Object.entries(hosts)) {
    const checks = hostConformance(makeHost);
    if (checks.length < 10) throw new Error(`${title}: no more than ${checks.length} checks`);
    for (const { name, run } of checks) {
      await run().catch((error) => {
        throw new Error(`${title}: ${name}: ${error.message}`, { cause: error });
      });
    }
  }
}

const bytesOf = (content) =>
  typeof content === "string" ? new TextEncoder().encode(content) : content;

/** Shaped like `fs.promises`, as a file system in memory is. */
function fileSystemOf(files) {
  const entries = new Map([["/", new Set()]]);
  for (const [file, content] of Object.entries(files)) {
    let directory = "/";
    const names = ["skills", ...file.split("/")];
    const last = names.pop();
    for (const name of names) {
      entries.get(directory).add(name);
      directory = `${directory}${name}/`;
      if (!entries.has(directory)) entries.set(directory, new Set());
    }
    entries.get(directory).add(last);
    entries.set(directory + last, bytesOf(content));
  }
  const { readdirSync, readFileSync, statSync } = fileSystemAtOnce(entries);
  return {
    entries,
    readdir: async (path) => readdirSync(path),
    readFile: async (path) => readFileSync(path),
    stat: async (path) => statSync(path),
  };
}

function fileSystemAtOnce(entries) {
  const found = (path) => entries.get(path) ?? entries.get(`${path}/`) ?? missing(path);
  return {
    readdirSync(path) {
      const names = found(path);
      return names instanceof Set ? [...names] : failed("ENOTDIR", path);
    },
    readFileSync(path) {
      const content = found(path);
      return content instanceof Set ? failed("EISDIR", path) : content.slice();
    },
    statSync(path) {
      const content = found(path);
      const isDirectory = content instanceof Set;
      return {
        isFile: () => !isDirectory,
        isDirectory: () => isDirectory,
        isSymbolicLink: () => false,
        size: isDirectory ? 0 : content.length,
        mtimeMs: 0,
      };
    },
  };
}

function missing(path) {
  return failed("ENOENT", path);
}

function failed(code, path) {
  throw Object.assign(new Error(`${code}: ${path}`), { code });
}

/** What is used of a storage of unstorage, as its driver for memory has it. */
function storageOf(files) {
  const items = new Map();
  for (const [path, content] of Object.entries({ ...files, "../other/b": "" })) {
    items.set(`skills/${path}`.replace("skills/../", "").replaceAll("/", ":"), content);
  }
  return {
    getKeys: async (base = "") => [...items.keys()].filter((key) => key.startsWith(base)),
    getItemRaw: async (key) => items.get(key.replaceAll("/", ":")) ?? null,
  };
}
