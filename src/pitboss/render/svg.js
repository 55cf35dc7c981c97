// What pictures are made of: SVG elements, and texts that fit the room they have.

export const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif";
const SVG = "http://www.w3.org/2000/svg";
const ruler = document.createElement("canvas").getContext("2d");
const widths = new Map(); // of texts at 100 px, because measuring is slow
const MOST_WIDTHS = 4000; // that are remembered

/** An SVG element with attributes and children; texts are only ever text. */
export function draw(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) node.setAttribute(name, value);
  node.append(...children.filter((child) => child !== null));
  return node;
}

export function words(x, y, text, size, kind, more = {}) {
  return draw("text", { x, y, "font-size": size, class: kind, ...more }, text);
}

/** How wide a text is. */
export function measure(text, size, weight = 400) {
  const key = `${weight} ${text}`;
  if (!widths.has(key)) {
    if (widths.size > MOST_WIDTHS) widths.clear();
    ruler.font = `${weight} 100px ${FONT}`;
    widths.set(key, ruler.measureText(text).width / 100);
  }
  return widths.get(key) * size;
}

/** Cut a text that is too long for a width, and say so with an ellipsis. */
export function fit(text, width, size, weight = 400) {
  if (measure(text, size, weight) <= width) return text;
  const signs = [...text];
  while (signs.length && measure(signs.join("") + "…", size, weight) > width) signs.pop();
  return signs.join("") + "…";
}

/** Break a text into lines of at most this width. */
export function wrap(text, width, size, weight = 400) {
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && measure(longer, size, weight) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => fit(line, width, size, weight));
}

export const between = (low, x, high) => Math.max(low, Math.min(x, high));
