// Elements, made in one way: what comes from a skill is text and nothing else.

type Child = Node | string | number | false | undefined | null;
type Listener<K extends keyof HTMLElementEventMap> = (event: HTMLElementEventMap[K]) => void;

/** Attributes by their names; listeners by `on` and the name of an event. */
export type Attributes = {
  [name: string]: string | number | boolean | undefined | ((event: never) => void);
};

/** An element with attributes and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value as Listener<keyof HTMLElementEventMap>);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== undefined && value !== false) {
      element.setAttribute(name, String(value));
    }
  }
  element.append(
    ...children.filter(isThere).map((child) => (child instanceof Node ? child : String(child))),
  );
  return element;
}

function isThere(child: Child): child is Node | string | number {
  return child !== false && child !== undefined && child !== null;
}

/** The element of the page that has this id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no #${id}.`);
  return element as T;
}

/** Puts these in the place of an element's children. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(
    ...children.filter(isThere).map((child) => (child instanceof Node ? child : String(child))),
  );
}
