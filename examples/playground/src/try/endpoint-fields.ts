// Who picks skills: the chooser, or an endpoint with what it needs.

import { h } from "../dom.ts";
import type { Endpoint } from "./endpoint.ts";

export interface EndpointFields {
  element: HTMLElement;
  /** What was entered; nothing where the chooser is taken. Throws where something is missing. */
  chosen(): Endpoint | undefined;
}

export function endpointFields(): EndpointFields {
  const builtIn = h("input", { type: "radio", name: "model", value: "chooser", checked: true });
  const own = h("input", { type: "radio", name: "model", value: "endpoint" });
  const url = h("input", {
    id: "endpoint-url",
    type: "url",
    placeholder: "https://api.openai.com/v1",
    autocomplete: "off",
  });
  const key = h("input", { id: "endpoint-key", type: "password", autocomplete: "off" });
  const model = h("input", {
    id: "endpoint-model",
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
  });
  let origin: string | undefined;
  url.addEventListener("change", () => {
    const other = URL.canParse(url.value) ? new URL(url.value).origin : undefined;
    // The key was given for the one before.
    if (origin !== undefined && other !== origin) key.value = "";
    origin = other;
  });
  const fields = h(
    "form",
    { hidden: true, onsubmit: (event: Event) => event.preventDefault() },
    h("label", { for: "endpoint-url" }, "Address"),
    url,
    h("label", { for: "endpoint-key" }, "Key"),
    key,
    h(
      "p",
      { class: "note" },
      "Kept in memory until you close the page, and sent to this address alone.",
    ),
    h("label", { for: "endpoint-model" }, "Model"),
    model,
  );
  for (const input of [builtIn, own]) {
    input.addEventListener("change", () => {
      fields.hidden = !own.checked;
    });
  }
  const element = h(
    "fieldset",
    { class: "card" },
    h("legend", {}, "Who picks skills"),
    h("label", { class: "radio" }, builtIn, "The built-in chooser: a search, no model"),
    h("label", { class: "radio" }, own, "A model at an OpenAI-compatible address"),
    fields,
  );
  const chosen = (): Endpoint | undefined => {
    if (!own.checked) return undefined;
    if (!URL.canParse(url.value) || model.value.trim() === "") {
      throw new Error(
        "Give the address of the endpoint and the name of a model, or take the built-in chooser.",
      );
    }
    return { url: url.value.trim(), key: key.value.trim(), model: model.value.trim() };
  };
  return { element, chosen };
}
