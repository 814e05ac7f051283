// A document that is just enough to test the page in Node.js.

export class FakeElement {
  children = [];
  text = "";
  value = "";
  tabIndex = 0;
  hidden = false;
  disabled = false;
  listeners = {};
  attributes = {};
  classes = new Set();
  classList = { toggle: (name, on) => (on ? this.classes.add(name) : this.classes.delete(name)) };

  constructor(tag = "") {
    this.tag = tag;
  }

  get textContent() {
    return this.text + this.children.map((child) => child.textContent).join("");
  }
  set textContent(text) {
    this.children = [];
    this.text = text;
  }
  get childElementCount() {
    return this.children.length;
  }
  get firstChild() {
    return { remove: () => this.children.shift() };
  }
  append(...children) {
    this.children.push(...children);
  }
  replaceChildren(...children) {
    this.textContent = "";
    this.children = children;
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  addEventListener(name, listener) {
    this.listeners[name] = listener;
  }
  focus() {
    FakeElement.focused = this;
  }

  fire(name, event = {}) {
    this.listeners[name]({ preventDefault() {}, ...event });
  }
  /** The elements with this tag in this one. */
  all(tag) {
    return this.children.flatMap((child) => [...(child.tag === tag ? [child] : []), ...child.all(tag)]);
  }
}

/** Puts a document in place; `element` gives the one with an id. */
export function installDocument() {
  const elements = {};
  const element = (id) => (elements[id] ??= new FakeElement());
  const document = Object.assign(new FakeElement(), {
    getElementById: element,
    createElement: (tag) => new FakeElement(tag),
  });
  globalThis.document = document;
  return { document, element };
}

/** The button of a square. */
export const squareOf = (board, square) =>
  board.all("button").find(({ attributes }) => attributes["aria-label"].startsWith(square));
