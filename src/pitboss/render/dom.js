// What pages are made of: elements, and the small rules by which numbers and sentences are written.

/** An element with attributes and children; texts are only ever text. `on…` attributes are listeners. */
export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** All parts of a page by name: elements marked data-part. */
export const parts = (root) => Object.fromEntries([...root.querySelectorAll("[data-part]")].map((node) => [node.dataset.part, node]));

/** Logs in a terminal set headings off with dashes; a page has better means. */
export const tidy = (text) => text.replace(/^-+ | -+$/g, "");

export const percent = (p) => `${(100 * p).toFixed(p > 0 && p < 0.0995 ? 1 : 0)}\u00a0%`;

/** A sentence begins with a capital and ends with a full stop. */
export const sentence = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."}`;
