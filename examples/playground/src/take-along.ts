// What a person takes along from the page.

import { h } from "./dom.ts";

/** Saves bytes as a file, as a person saves one. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Puts a text on the clipboard and says so on the button that did it. */
export async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  const said = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed here: select and copy it";
  }
  setTimeout(() => {
    button.textContent = said;
  }, 2_000);
}
