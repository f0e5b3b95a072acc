// The jail under races on a Linux whose descriptors have no paths.

import "./support/without-proc.ts";
import { describeRaces, LOADS } from "./support/races.ts";

describeRaces({
  "the disk": { load: LOADS["the disk"], exact: false, share: 0.1 },
  "the disk with promises": { load: LOADS["the disk with promises"], exact: false, share: 0.1 },
});
