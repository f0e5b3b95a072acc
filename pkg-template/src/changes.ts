/** What has changed in a catalog. */
import { allAdded } from "./catalog.js";
import type { MarkHandle } from "./core/skillshelf.js";
import type { CoreCatalog } from "./core-catalog.js";
import { generation, withCore } from "./engine.js";
import { hostDiagnostics } from "./reports.js";
import type { Changes } from "./types.js";

/** Tells what has changed in a catalog since it was last asked, whoever refreshed it. */
export class ChangeLog {
  readonly #core: CoreCatalog;
  #mark: MarkHandle;
  #generation: number;

  constructor(core: CoreCatalog) {
    this.#core = core;
    this.#mark = markOf(core);
    this.#generation = generation();
  }

  take(): Changes {
    if (this.#generation !== generation()) {
      this.#mark = markOf(this.#core);
      this.#generation = generation();
      return allAdded(this.#core);
    }
    const { handle } = this.#core;
    const changes = JSON.parse(withCore(() => handle.changesSince(this.#mark))) as Changes;
    changes.diagnostics.push(...hostDiagnostics(this.#core));
    return changes;
  }

  dispose(): void {
    if (this.#generation === generation()) this.#mark.free();
  }
}

function markOf({ handle }: CoreCatalog): MarkHandle {
  return withCore(() => handle.mark());
}
