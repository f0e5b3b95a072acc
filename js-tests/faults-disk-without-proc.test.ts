// The same where a file's real path is compared with what was opened.

import "./support/without-proc.ts";
import "./faults-disk.test.ts";
