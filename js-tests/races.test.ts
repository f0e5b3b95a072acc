// The jail under races, where what was opened tells where it is, and over file systems of others.

import { describeRaces, LOADS } from "./support/races.ts";

const onLinux = process.platform === "linux";

describeRaces({
  "the disk": { load: LOADS["the disk"], exact: onLinux, share: 1 },
  "the disk with promises": { load: LOADS["the disk with promises"], exact: onLinux, share: 1 },
  "a file system": { load: LOADS["a file system"], exact: false, share: 0.1 },
  "a file system with promises": {
    load: LOADS["a file system with promises"],
    exact: false,
    share: 0.1,
  },
});
