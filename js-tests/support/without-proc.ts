// Imported before the package: a Linux without /proc. What it has of descriptors cannot be read.

import fs from "node:fs";

const { readlinkSync } = fs;

fs.readlinkSync = ((...args: Parameters<typeof readlinkSync>) => {
  if (String(args[0]).startsWith("/proc/")) {
    throw Object.assign(new Error("ENOENT: no such file or directory, readlink"), {
      code: "ENOENT",
    });
  }
  return readlinkSync(...args);
}) as typeof readlinkSync;
