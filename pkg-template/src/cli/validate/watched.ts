/** Doing something again whenever the files change that it looked at. */
import { messageOf } from "../../message-of.js";
import { WatchedDirectories } from "../../watch/directories.js";
import { Schedule } from "../../watch/schedule.js";
import { DONE } from "../exit.js";
import { type Screen, visible } from "../screen.js";

/** Milliseconds of quiet that end a burst of changes. */
const DEBOUNCE = 100;
/** Milliseconds from one time to the next where the system does not tell of changes. */
const POLL_INSTEAD = 1000;

/** Does it until the person ends it. Gives the last exit code. */
export function watched(once: () => Promise<number>, { err }: Screen): Promise<number> {
  return new Promise((end, fail) => {
    let code: number = DONE;
    let isFirst = true;
    const round = async (): Promise<void> => {
      if (!isFirst) err.line(err.paint("dim", `— ${new Date().toLocaleTimeString()} —`));
      try {
        code = await once();
      } catch (error) {
        if (isFirst) throw error;
        // A folder may be away for a moment.
        err.line(visible(messageOf(error)));
      }
      isFirst = false;
    };
    const directories = new WatchedDirectories(() => schedule.request(), true);
    const work = async (): Promise<void> => {
      try {
        await directories.observe(round);
      } catch (error) {
        directories.close();
        void schedule.close();
        fail(error);
      }
      if (directories.failure !== undefined) schedule.poll(POLL_INSTEAD);
    };
    const schedule = new Schedule(work, { debounce: DEBOUNCE, poll: 0, persistent: true });
    process.once("SIGINT", () => {
      directories.close();
      void schedule.close().then(() => end(code));
    });
    void schedule.run();
  });
}
