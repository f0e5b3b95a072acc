// How skills come onto the page: dropped, picked, pasted, from a site, or the examples.

import { droppedFilesHost, fileListHost } from "skillshelf/web";
import { type App, messageOf } from "../app.ts";
import { byId } from "../dom.ts";
import { serve } from "../engine/rpc.ts";
import { HOST_METHODS } from "../engine/shapes.ts";
import { keepDirectory, keptDirectory, mayRead } from "../kept-directory.ts";

const ARCHIVE = /\.(zip|skill|tar|tgz|tar\.gz)$/i;
type PageHost = ReturnType<typeof fileListHost>;
type Picker = (options: { mode: "read"; id: string }) => Promise<FileSystemDirectoryHandle>;

export class BringPanel {
  readonly #app: App;
  readonly #dialog = byId<HTMLDialogElement>("bring");

  constructor(app: App) {
    this.#app = app;
    byId("open-bring").addEventListener("click", () => this.#dialog.showModal());
    byId("close-bring").addEventListener("click", () => this.#dialog.close());
    byId("reload").addEventListener("click", () => void app.reload());
    byId("bring-examples").addEventListener("click", () => void this.examples());
    byId("bring-directory").addEventListener("click", () => void this.#pick());
    byId("bring-kept").addEventListener("click", () => void this.#openKept());
    this.#takeFiles(byId<HTMLInputElement>("folder-input"));
    this.#takeFiles(byId<HTMLInputElement>("archive-input"));
    byId("bring-archive").addEventListener("click", () => byId("archive-input").click());
    this.#takeForms();
    this.#takeDrops();
    void this.#offerKept();
    app.store.watch(
      ({ skills, busy }) => [skills?.overview.label, busy],
      ({ skills, busy }) => {
        byId("source").textContent = skills?.overview.label ?? "";
        byId("busy").textContent = busy ?? "";
      },
    );
    app.store.watch(
      ({ origin }) => [origin],
      ({ origin }) => {
        byId("reload").hidden = origin.kind === "examples" || origin.kind === "pasted";
      },
    );
  }

  examples(): Promise<boolean> {
    return this.#brought(this.#app.open({ kind: "examples" }));
  }

  site(url: string): Promise<boolean> {
    return this.#brought(this.#app.open({ kind: "site", url }));
  }

  async #brought(opening: Promise<boolean>): Promise<boolean> {
    const done = await opening;
    // What went wrong is told on the page, not below the dialog.
    this.#dialog.close();
    return done;
  }

  /** A browser that has no picker for directories has an input that takes them. */
  async #pick(): Promise<void> {
    const { showDirectoryPicker } = window as { showDirectoryPicker?: Picker };
    if (showDirectoryPicker === undefined) return byId("folder-input").click();
    let handle: FileSystemDirectoryHandle;
    try {
      handle = await showDirectoryPicker({ mode: "read", id: "skills" });
    } catch (error) {
      if ((error as Error).name !== "AbortError") this.#app.tell(messageOf(error));
      return;
    }
    await this.#openDirectory(handle);
    // Only for another visit: where the browser keeps nothing, the page works all the same.
    await keepDirectory(handle).catch(() => {});
    await this.#offerKept();
  }

  async #openKept(): Promise<void> {
    await this.#app.attempt(async () => {
      const handle = await keptDirectory();
      if (handle === undefined) return;
      if (await mayRead(handle)) await this.#openDirectory(handle);
      else
        this.#app.tell(`The folder ${handle.name} may not be read. Choose it again, and allow it.`);
    });
  }

  async #openDirectory(handle: FileSystemDirectoryHandle): Promise<void> {
    const label = handle.name || "Chosen folder";
    await this.#brought(this.#app.open({ kind: "directory", label, handle }));
  }

  async #offerKept(): Promise<void> {
    const handle = await keptDirectory().catch(() => undefined);
    const button = byId("bring-kept");
    button.hidden = handle === undefined;
    if (handle) button.textContent = `Open ${handle.name || "the last folder"} again`;
  }

  #takeFiles(input: HTMLInputElement): void {
    input.addEventListener("change", () => {
      const { files } = input;
      if (files === null || files.length === 0) return;
      void this.#openFiles(files).then(() => {
        input.value = "";
      });
    });
  }

  async #openFiles(files: FileList): Promise<void> {
    const [first] = files;
    if (first === undefined) return;
    if (files.length === 1 && ARCHIVE.test(first.name)) return this.#openArchive(first);
    const label = first.webkitRelativePath.split("/")[0] || first.name;
    await this.#openHost(fileListHost(files), label);
  }

  async #openArchive(file: File): Promise<void> {
    const given = { kind: "archive", label: file.name, archive: file } as const;
    await this.#brought(this.#app.open(given));
  }

  /** Serves a host that only the page has to the engine. */
  async #openHost(host: PageHost, label: string): Promise<void> {
    const { port1, port2 } = new MessageChannel();
    serve(port1, host, HOST_METHODS);
    await this.#brought(this.#app.open({ kind: "host", label, port: port2 }));
  }

  #takeForms(): void {
    byId("paste-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#paste(byId<HTMLTextAreaElement>("paste-text").value);
    });
    byId("site-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.site(byId<HTMLInputElement>("site-url").value.trim());
    });
  }

  async #paste(text: string): Promise<void> {
    if (!(await this.#brought(this.#app.open({ kind: "pasted", text })))) return;
    const { store } = this.#app;
    const [row] = store.state.skills?.overview.rows ?? [];
    if (row) store.set({ selected: { path: row.path }, view: "edit" });
  }

  #takeDrops(): void {
    let inside = 0;
    const mark = (by: number) => {
      inside = Math.max(0, inside + by);
      document.body.classList.toggle("dropping", inside > 0);
    };
    addEventListener("dragenter", () => mark(1));
    addEventListener("dragleave", () => mark(-1));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      mark(-Infinity);
      const { dataTransfer } = event;
      if (dataTransfer !== null) void this.#openDropped(dataTransfer);
    });
  }

  /** Everything is taken in the event itself: afterwards it is gone. */
  #openDropped(dropped: DataTransfer): Promise<void> {
    const [first] = dropped.files;
    if (first === undefined) {
      this.#app.tell(
        "No files were dropped. Drop a folder of skills, a zip of one, or a SKILL.md.",
      );
      return Promise.resolve();
    }
    if (dropped.files.length === 1 && ARCHIVE.test(first.name)) return this.#openArchive(first);
    return this.#openHost(droppedFilesHost(dropped), first.name);
  }
}
