// The jail under races in a process that takes itself to run on macOS.

import "./support/on-darwin.ts";
import { describeRaces, LOADS } from "./support/races.ts";

describeRaces({
  "the disk": { load: LOADS["the disk"], exact: false, share: 0.1 },
  "the disk with promises": { load: LOADS["the disk with promises"], exact: false, share: 0.1 },
});
