/**
 * Calls `visit(item, done)` for every item, at most `atOnce` at the same time; resolves when all
 * are done, rejects with the first error that `done` is given.
 */
export function visitAll(items, atOnce, visit) {
  return new Promise((resolve, reject) => {
    let next = 0;
    let running = Math.min(atOnce, items.length);
    if (running === 0) resolve();

    const work = (error) => {
      if (error) return reject(error);
      if (next < items.length) return visit(items[next++], work);
      running -= 1;
      if (running === 0) resolve();
    };

    for (let worker = running; worker > 0; worker -= 1) work();
  });
}
