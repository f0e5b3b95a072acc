/** Lets everything happen that can now. Timers of a page that nobody sees take a second each. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (immediate !== undefined) immediate(resolve);
    else if (typeof MessageChannel === "function") afterMessage(resolve);
    else setTimeout(resolve);
  });
}

/** As it was at first: where tests have put their own clock in its place, nobody would go on. */
const immediate = (globalThis as { setImmediate?: typeof setImmediate }).setImmediate;

function afterMessage(resolve: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    resolve();
  };
  port2.postMessage(undefined);
}
