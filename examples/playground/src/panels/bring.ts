// How skills come onto the page: dropped, picked, pasted, from a site, or the examples.

import { droppedFilesHost, fileListHost } from "skillshelf/web";
import { allowedAddress } from "../allowed-address.ts";
import type { App } from "../app.ts";
import { byId } from "../dom.ts";
import { serve } from "../engine/rpc.ts";
import { type Given, HOST_METHODS } from "../engine/shapes.ts";
import { keepDirectory, keptDirectory, mayRead } from "../kept-directory.ts";
import { editedIn, someOf, type Unsaved } from "../unsaved.ts";
import { messageOf } from "../words.ts";

/** Types of archives, as browsers tell them. */
const PACKED = /zip|tar|compressed/;

type TakeFiles = (event: DragEvent, dropped: DataTransfer) => void;
type PageHost = ReturnType<typeof fileListHost>;
type Picker = (options: { mode: "read"; id: string }) => Promise<FileSystemDirectoryHandle>;

/** How what is open is read again: by itself, or by choosing it once more in one of the inputs. */
type Again = "reload" | "folder-input" | "archive-input";

export class BringPanel {
  readonly #app: App;
  readonly #unsaved: Unsaved;
  readonly #dialog = byId<HTMLDialogElement>("bring");
  #again: Again = "reload";

  constructor(app: App, unsaved: Unsaved) {
    this.#app = app;
    this.#unsaved = unsaved;
    byId("open-bring").addEventListener("click", () => this.#dialog.showModal());
    byId("close-bring").addEventListener("click", () => this.#dialog.close());
    byId("stop-opening").addEventListener("click", () => app.stopOpening());
    byId("reload").addEventListener("click", () => void this.#readAgain());
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
      ({ skills, busy, opening }) => [skills?.overview.label, busy, opening],
      ({ skills, busy, opening }) => {
        byId("source").textContent = skills?.overview.label ?? "";
        byId("busy").textContent = busy ?? "";
        byId("stop-opening").hidden = !opening;
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
    return this.#bring({ kind: "examples" });
  }

  async site(url: string): Promise<boolean> {
    try {
      allowedAddress(url);
    } catch (error) {
      this.#dialog.close();
      this.#app.alerts.tell(messageOf(error));
      return false;
    }
    return this.#bring({ kind: "site", url });
  }

  /** Opens it, unless edits would be lost that the person wants to keep. */
  async #bring(given: Given, again: Again = "reload"): Promise<boolean> {
    const done = (await this.#unsaved.mayBeLost()) && (await this.#app.open(given));
    // What went wrong is told on the page, not below the dialog.
    this.#dialog.close();
    if (done) this.#offerAgain(again);
    return done;
  }

  /** A browser shows a page a chosen file as it was then: what has changed is seen by choosing it again. */
  #offerAgain(again: Again): void {
    this.#again = again;
    byId("reload").textContent = again === "reload" ? "Reload" : "Choose it again …";
  }

  async #readAgain(): Promise<void> {
    if (this.#again !== "reload") return byId(this.#again).click();
    await this.#app.reload();
    const edited = editedIn(this.#app.store.state);
    if (edited.length > 0) {
      this.#app.alerts.note(
        `Read again. What was edited here stays, whatever is there now: ${someOf(edited)}. “Take edits back” in Edit shows what is there.`,
      );
    }
  }

  /** A browser that has no picker for directories has an input that takes them. */
  async #pick(): Promise<void> {
    const { showDirectoryPicker } = window as { showDirectoryPicker?: Picker };
    if (showDirectoryPicker === undefined) return byId("folder-input").click();
    let handle: FileSystemDirectoryHandle;
    try {
      handle = await showDirectoryPicker({ mode: "read", id: "skills" });
    } catch (error) {
      if ((error as Error).name !== "AbortError") this.#app.alerts.tell(messageOf(error));
      return;
    }
    await this.#openDirectory(handle);
    // Only for another visit: where the browser keeps nothing, the page works all the same.
    await keepDirectory(handle).catch(() => {});
    await this.#offerKept();
  }

  async #openKept(): Promise<void> {
    await this.#app.alerts.attempt(async () => {
      const handle = await keptDirectory();
      if (handle === undefined) return;
      if (await mayRead(handle)) await this.#openDirectory(handle);
      else
        this.#app.alerts.tell(
          `The folder ${handle.name} may not be read. Choose it again, and allow it.`,
        );
    });
  }

  async #openDirectory(handle: FileSystemDirectoryHandle): Promise<void> {
    const label = handle.name || "Chosen folder";
    await this.#bring({ kind: "directory", label, handle });
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
    const folder = first.webkitRelativePath.split("/")[0];
    if (!folder && !isText(first)) return this.#openArchive(first);
    const again = folder ? "folder-input" : "archive-input";
    await this.#openHost(fileListHost(files), folder || first.name, again);
  }

  /** Which kind of archive it is, or that it is none, is seen in it. */
  async #openArchive(file: File): Promise<void> {
    await this.#bring({ kind: "archive", label: file.name, archive: file }, "archive-input");
  }

  /** Serves a host that only the page has to the engine. */
  async #openHost(host: PageHost, label: string, again: Again = "reload"): Promise<void> {
    const { port1, port2 } = new MessageChannel();
    serve(port1, host, HOST_METHODS);
    await this.#bring({ kind: "host", label, port: port2 }, again);
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
    if (!(await this.#bring({ kind: "pasted", text }))) return;
    const { store } = this.#app;
    const [row] = store.state.skills?.overview.rows ?? [];
    if (row) store.set({ selected: { path: row.path }, view: "edit" });
  }

  /** Files are taken wherever they are dropped, in the editor too; a text is left to where it falls. */
  #takeDrops(): void {
    let inside = 0;
    const mark = (now: number) => {
      inside = Math.max(0, now);
      document.body.classList.toggle("dropping", inside > 0);
    };
    const on = (type: "dragenter" | "dragleave" | "dragover" | "drop", take: TakeFiles) => {
      const listener = (event: DragEvent) => {
        const { dataTransfer } = event;
        if (dataTransfer?.types.includes("Files")) take(event, dataTransfer);
      };
      addEventListener(type, listener, { capture: true });
    };
    on("dragenter", () => mark(inside + 1));
    on("dragleave", () => mark(inside - 1));
    on("dragover", (event) => event.preventDefault());
    on("drop", (event, dropped) => {
      event.preventDefault();
      event.stopPropagation();
      mark(0);
      void this.#openDropped(dropped);
    });
  }

  /** Everything is taken in the event itself: afterwards it is gone. */
  #openDropped(dropped: DataTransfer): Promise<void> {
    const [first, ...others] = dropped.files;
    if (first === undefined) {
      this.#app.alerts.tell(
        "No files were dropped. Drop a folder of skills, a zip of one, or a SKILL.md.",
      );
      return Promise.resolve();
    }
    if (others.length === 0) {
      const isFolder = dropped.items[0]?.webkitGetAsEntry?.()?.isDirectory === true;
      if (!isFolder && !isText(first)) return this.#openArchive(first);
      return this.#openHost(droppedFilesHost(dropped), first.name);
    }
    const archive = [...dropped.files].find(({ type }) => PACKED.test(type));
    if (archive !== undefined) {
      this.#app.alerts.tell(
        `${archive.name} was dropped with other files, and one archive is opened at a time. Drop it alone, or folders and files without it.`,
      );
      return Promise.resolve();
    }
    return this.#openHost(droppedFilesHost(dropped), `${first.name} and ${others.length} more`);
  }
}

/** Whether it is a skill's text, rather than an archive of skills. */
function isText({ name }: File): boolean {
  return /\.md$/i.test(name);
}
