// Cards as pictures: one face for every kind of card of every game, drawn by us. They know no game: a face is
//
//   {text, kind, name, faded, tone?, mark?}
//
// `kind` gives a card its shape (number, modifier, action, hidden; any other is drawn, too), `tone` its colour and `mark` its
// sign (marks.js). A face that names neither gets what suits its text: a number its own colour, a card of a suit that suit.
//
//   element.append(cardPicture(face, { width: 48 }));  // <svg class="playing-card">, for pages
//   group.append(card(face, 48));                       // <g class="card">, for tables

import { mark } from "./marks.js";
import { between, draw, fit, measure, words } from "./svg.js";

export const PROPORTION = 1.4; // of a card: height to width
const [W, H] = [100, 140]; // a card is drawn in units of its own
const SMALL = 46; // pixels of width below which a card has one large sign, and nothing else
const KINDS = ["number", "modifier", "action", "hidden"];
const SIGNS = { "♠": "spade", "♥": "heart", "♦": "diamond", "♣": "club", "☠": "skull", "★": "star" };
const SUITS = ["spade", "heart", "diamond", "club"];
const BY_NUMBER = ["gray", "brown", "olive", "red", "sky", "green", "plum", "pink", "teal", "orange", "blue", "violet", "ink"];

/** What is drawn of a face: its kind, its rank without the sign, its sign and its tone. */
function looks(face) {
  const kind = KINDS.includes(face.kind) ? face.kind : "other";
  const signs = [...face.text];
  const own = signs.length > 1 && kind === "number" ? SIGNS[signs.at(-1)] : undefined;
  const sign = face.mark || own || "";
  const rank = (own ? signs.slice(0, -1).join("") : face.text).replace(/^x(?=\d)/, "×").replace(/^-(?=\d)/, "−");
  const usual = kind === "modifier" ? "amber" : kind === "action" ? "teal" : ["heart", "diamond"].includes(sign) ? "red"
    : SUITS.includes(sign) || !/^\d+$/.test(rank) ? "ink" : BY_NUMBER[Number(rank) % BY_NUMBER.length];
  return { kind, rank, sign, tone: face.tone || usual };
}

/** A card as a group, its corner at 0 0. Of a `covered` card only the left `visible` pixels are seen, so they say it all. */
export function card(face, width, { covered = false, visible = width } = {}) {
  const { kind, rank, sign, tone } = looks(face);
  const group = draw("g", { class: `card ${kind} tone-${tone}${face.faded ? " faded" : ""}`, "data-card": face.text });
  const inside = draw("g", { class: "inside", transform: `scale(${width / W})` });
  const seen = covered ? between(18, (visible / width) * W, W) : W;
  inside.append(...body(kind), ...(kind === "hidden" ? back() : front(face, kind, rank, sign, seen, width)));
  if (face.faded) inside.append(draw("path", { class: "strike", d: `M8 ${H - 8}L${W - 8} 8` }));
  group.append(inside, draw("title", {}, face.name));
  return group;
}

/** A card as a picture of its own, for people who read its name instead. */
export function cardPicture(face, { width = 64 } = {}) {
  return draw("svg", { class: "playing-card", viewBox: `-2 -2 ${width + 4} ${width * PROPORTION + 4}`, width: width + 4, height: width * PROPORTION + 4, role: "img", "aria-label": face.name }, card(face, width));
}

/** A card that lies on a table once more, as a picture only: nobody can pick or count it. */
export function copyOf(node) {
  const clone = node.cloneNode(true);
  for (const name of ["transform", "data-place", "data-card", "tabindex", "role", "style"]) clone.removeAttribute(name);
  clone.classList.remove("card", "new", "pick");
  clone.classList.add("copy");
  return clone;
}

/** The back of a card. */
export const BACK = { text: "", kind: "hidden", name: "", faded: false };

/** The outline: kinds differ in shape as well as in colour. */
function body(kind) {
  const round = { number: 12, other: 12, hidden: 12, action: 26 };
  if (kind === "modifier") {
    const d = (m) => `M${20 + m * 0.4} ${m}H${W - 20 - m * 0.4}L${W - m} ${20 + m * 0.4}V${H - 20 - m * 0.4}L${W - 20 - m * 0.4} ${H - m}H${20 + m * 0.4}L${m} ${H - 20 - m * 0.4}V${20 + m * 0.4}Z`;
    return [draw("path", { class: "face", d: d(0) }), draw("path", { class: "panel-line", d: d(6) })];
  }
  const rect = (name, m) => draw("rect", { class: name, x: m, y: m, width: W - 2 * m, height: H - 2 * m, rx: round[kind] - m * 0.6 });
  return [rect("face", 0), rect("panel-line", kind === "hidden" ? 5 : 6)];
}

/** A lattice, and a lozenge in its middle. */
function back() {
  const [edge, step] = [12, 12.8];
  const [w, h] = [W - 2 * edge, H - 2 * edge];
  let d = "";
  for (let at = step; at < w + h; at += step) {
    const [x0, y0] = at < h ? [0, at] : [at - h, h];
    const [x1, y1] = at < w ? [at, 0] : [w, at - w];
    d += `M${edge + x0} ${edge + y0}L${edge + x1} ${edge + y1}M${W - edge - x0} ${edge + y0}L${W - edge - x1} ${edge + y1}`;
  }
  return [draw("path", { class: "lattice", d }), draw("path", { class: "lozenge", d: `M50 ${H / 2 - 26}L72 ${H / 2}L50 ${H / 2 + 26}L28 ${H / 2}Z` })];
}

function front(face, kind, rank, sign, seen, width) {
  const small = width < SMALL;
  if (kind === "action") return action(face, rank, sign, seen, small);
  if (SUITS.includes(sign)) return suit(rank, sign, seen, small);
  if (sign) return marked(face, rank, sign, seen, small);
  if (seen < W) return [sized(rank, seen / 2 + 1, small ? 78 : 34, seen - 12, small ? 74 : 44)];
  if (small) return [sized(rank, W / 2, H / 2 + 2, W - 14, kind === "other" ? 60 : 86)];
  if (kind === "modifier") return [sized(rank, W / 2, H / 2 + 1, W - 22, 60)];
  return [...corners(rank, null), sized(rank, W / 2, H / 2 + 1, W - 26, 72)];
}

/** A text around a middle, as large as there is room for. */
function sized(text, x, y, room, most, kind = "sign") {
  const size = Math.min(most, room / Math.max(0.01, measure(text, 1, 800)));
  return words(x, y + size * 0.36, text, size, kind, { "text-anchor": "middle" });
}

const signAt = (sign, x, y, size) => draw("g", { transform: `translate(${x - size / 2} ${y - size / 2})` }, mark(sign, size));

/** What a card says in its upper left corner, and upside down in the lower right. */
function corners(rank, sign) {
  const one = () => draw("g", { class: "corner" }, sized(rank, 19, 23, 24, 22), sign && signAt(sign, 19, 44, 16));
  const other = one();
  other.setAttribute("transform", `rotate(180 ${W / 2} ${H / 2})`);
  return [one(), other];
}

/** A rank of a suit. */
function suit(rank, sign, seen, small) {
  if (seen < W) return [sized(rank, seen / 2 + 1, 34, seen - 10, 46), signAt(sign, seen / 2 + 1, 82, Math.min(36, seen - 12))];
  if (small) return [sized(rank, W / 2, 44, W - 16, 74), signAt(sign, W / 2, 104, 50)];
  return [...corners(rank, sign), sized(rank, W / 2, 54, 50, 58), signAt(sign, W / 2, 102, 40)];
}

/** A number that is something special, too; a text too long to be one is its title. */
function marked(face, rank, sign, seen, small) {
  const titled = [...rank].length > 3;
  if (seen < W) return titled ? [signAt(sign, seen / 2 + 1, 40, seen - 10)] : [sized(rank, seen / 2 + 1, 34, seen - 10, 46), signAt(sign, seen / 2 + 1, 82, Math.min(34, seen - 12))];
  if (titled) return [signAt(sign, W / 2, small ? H / 2 : 62, small ? 78 : 62), ...(small ? [] : [sized(rank, W / 2, 116, W - 24, 18, "card-title")])];
  if (small) return [sized(rank, W / 2, 46, W - 16, 78), signAt(sign, W / 2, 106, 46)];
  return [...corners(rank, null), sized(rank, W / 2, 56, 66, 66), signAt(sign, W / 2, 106, 32)];
}

/** A card that does something: its sign, and what it is called. */
function action(face, rank, sign, seen, small) {
  const picture = (x, y, size) => (sign ? signAt(sign, x, y, size) : sized(rank, x, y, size, size * 0.7));
  const disc = (x, y, r) => draw("circle", { class: "disc", cx: x, cy: y, r });
  if (seen < W) return [disc(seen / 2 + 3, small ? 70 : 36, seen / 2 - 5), picture(seen / 2 + 3, small ? 70 : 36, (seen - 10) * 0.7)];
  if (small) return [disc(W / 2, H / 2, 42), picture(W / 2, H / 2, 62)];
  const lines = titleLines(face.name);
  const size = Math.min(17, ...lines.map((line) => (W - 22) / measure(line, 1, 700)));
  const top = H - 17 - (lines.length - 1) * size * 1.1;
  const middle = lines.length > 1 ? 52 : 57;
  return [disc(W / 2, middle, 36), picture(W / 2, middle, 48),
    ...lines.map((line, i) => words(W / 2, top + i * size * 1.1, fit(line, W - 12, size, 700), size, "card-title", { "text-anchor": "middle" }))];
}

/** A name on one line, or on two that are about as long. */
function titleLines(name) {
  const parts = name.split(" ");
  if (parts.length < 2 || name.length < 9) return [name];
  const cuts = parts.slice(1).map((_, i) => [parts.slice(0, i + 1).join(" "), parts.slice(i + 1).join(" ")]);
  return cuts.reduce((best, cut) => (Math.max(...cut.map((line) => line.length)) < Math.max(...best.map((line) => line.length)) ? cut : best));
}
