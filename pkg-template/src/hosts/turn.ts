/** Lets everything happen that can now. Timers of a page that nobody sees take a second each. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else if (typeof MessageChannel === "function") afterMessage(resolve);
    else setTimeout(resolve);
  });
}

function afterMessage(resolve: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    resolve();
  };
  port2.postMessage(undefined);
}
