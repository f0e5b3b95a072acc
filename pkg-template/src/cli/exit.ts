/** What the command says to whoever started it. */

/** All is well; warnings and hints may have been told. */
export const DONE = 0;
/** What was asked for cannot be had, or a skill has an error. */
export const FAILED = 1;
/** The command line cannot be understood. */
export const MISUSED = 2;

/** The command line cannot be understood; the message says what would be. */
export class UsageError extends Error {}

/** What was asked for cannot be had. */
export class Failure extends Error {}
