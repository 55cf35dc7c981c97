// The story of a finished game: everybody's chances to win as it went on, its turning points, the best and the worst
// decisions, and the luckiest card. It is told from points, one for each step in the order of the game:
//
//   {step, chances: [share], half, how, text, by, decision: null | {seat, played, better, lost, ahead, certain, unusual, policy, unit, percent, how}}
//
// `by` is who moved: a seat, or null for a card and the start. Chances and costs are estimates, and always say so.

import { make, percent } from "./dom.js";
import { draw, fit, measure } from "./svg.js";

const NOTABLE = 0.08; // of the win: less is no turning point
const TURNS = 3, DECISIONS = 3;
const SERIES = 8; // in story.css
const DASHES = ["", "7 4", "2 4", "12 4 2 4", "1 5", "9 3", "4 4", "14 5"]; // so that no line is told by its colour alone

/** What a page says; another language brings its own. */
export const STORY_WORDS = {
  curve: "Chances to win, estimated",
  turns: "Turning points",
  best: "Best decisions",
  worst: "Worst decisions",
  luck: "Luckiest card",
  none: "None stands out.",
  even: "Nothing turned the game: no card or move changed anybody's chances by much.",
  change: (name, before, after) => `${name}: ${before} → ${after}, estimated`,
  right: (name, played, ahead) => `${name}: “${played}”; the next best was worth ${ahead} less, estimated`,
  wrong: (name, played, better, lost) => `${name}: “${played}”; “${better}” was worth ${lost} more, estimated`,
  unusual: (policy) => `${policy} would have done something else.`,
  unsure: "Perhaps by luck in measuring.",
  estimated: (how) => `Estimated: ${how}.`,
  end: "the end",
  alone: "Who plays alone always wins; what counts are the decisions.",
};

/** What is worth telling. `own`: seats whose decisions count, or all. */
export function highlights({ points }, own = null) {
  const changes = points.slice(1).map((point, i) => changeOf(points[i], point));
  const real = changes.filter(({ size, noise }) => size >= NOTABLE && size > noise);
  const turns = [...real].sort((a, b) => b.size - a.size).slice(0, TURNS).sort((a, b) => a.point.step - b.point.step);
  const cards = real.filter(({ point, gain }) => point.by === null && gain >= NOTABLE);
  const luckiest = cards.reduce((best, each) => (best && best.gain >= each.gain ? best : each), null);
  const made = points.filter(({ decision }) => decision && (!own || own.includes(decision.seat))).map(({ step, text, decision }) => ({ step, text, ...decision }));
  const least = (each) => (each.percent ? 0.005 : 0.05);
  const by = (key) => [...made].filter((each) => each[key] >= least(each))
    .sort((a, b) => b.certain - a.certain || (key === "ahead") * (b.unusual - a.unusual) || b[key] - a[key]).slice(0, DECISIONS);
  return { turns, luckiest, best: by("ahead"), worst: by("lost"), made };
}

function changeOf(before, point) {
  const gains = point.chances.map((chance, seat) => chance - before.chances[seat]);
  const size = Math.max(...gains.map(Math.abs)), gain = Math.max(...gains);
  const winner = gains.indexOf(gain), most = gains.findIndex((each) => Math.abs(each) === size);
  return { point, before, size, gain, winner, most, noise: 1.5 * (before.half + point.half) };
}

/** A decision's cost as people read it. */
export const amount = (value, { percent: share, unit }) => (share ? percent(value).replace(" ", "\u00a0") : `${value.toFixed(2)} ${unit.split(" (")[0]}`);

// --- the curve ---

/** The chances to win over the game, a line for each seat with its name at its end, as an SVG. */
export function drawCurve({ names, chapters, points }, { width = 640, height = 260, mine = [], word = STORY_WORDS } = {}) {
  const size = width < 420 ? 11 : 13, last = Math.max(1, points.at(-1).step);
  const right = 12 + Math.min(width * 0.3, Math.max(...names.map((name) => measure(name, size, 700)))) , left = 3.5 * size, top = 10, bottom = 26;
  const x = (step) => left + ((width - left - right) * step) / last, y = (chance) => top + (height - top - bottom) * (1 - chance);
  const out = draw("svg", { class: "story-curve", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": spoken({ names, points }, word) });
  for (const chance of [0, 0.25, 0.5, 0.75, 1]) {
    out.append(draw("line", { class: "story-grid", x1: left, x2: width - right, y1: y(chance), y2: y(chance) }),
      draw("text", { class: "story-tick", x: left - 6, y: y(chance) + size / 3, "font-size": size - 1, "text-anchor": "end" }, percent(chance).replace(" ", "\u202f")));
  }
  let free = left;
  for (const [name, step] of chapters) {
    const at = x(step), label = name.split(" ").at(-1);
    if (step > 0) out.append(draw("line", { class: "story-chapter", x1: at, x2: at, y1: top, y2: height - bottom }));
    const text = free === left ? name : label;
    if (at < free || at + measure(text, size - 1) > width - right) continue;
    out.append(draw("text", { class: "story-tick", x: at + 2, y: height - 8, "font-size": size - 1 }, text));
    free = at + measure(text, size - 1) + 14;
  }
  const ends = names.map((name, seat) => ({ seat, name, y: y(points.at(-1).chances[seat]) }));
  for (const { seat } of [...ends].sort((a, b) => mine.includes(a.seat) - mine.includes(b.seat))) {
    const line = points.map((point) => `${x(point.step).toFixed(1)} ${y(point.chances[seat]).toFixed(1)}`).join("L");
    out.append(draw("path", { class: `story-line series-${seat % SERIES}${mine.includes(seat) ? " own" : ""}`, d: `M${line}`, "stroke-dasharray": mine.includes(seat) ? null : DASHES[seat % SERIES] }));
  }
  for (const { seat, name, y: at } of apart(ends, size + 3, top, height - bottom)) {
    out.append(draw("text", { class: `story-name series-${seat % SERIES}`, x: width - right + 7, y: at + size / 3, "font-size": size }, fit(name, right - 10, size, 700)));
  }
  return out;
}

/** Labels that do not cover each other. */
function apart(ends, room, top, bottom) {
  const sorted = [...ends].sort((a, b) => a.y - b.y);
  sorted.forEach((each, i) => { each.y = Math.max(each.y, i ? sorted[i - 1].y + room : top); });
  let most = bottom;
  for (const each of sorted.reverse()) { each.y = Math.min(each.y, most); most = each.y - room; }
  return sorted;
}

const spoken = ({ names, points }, word) => `${word.curve}. ${names.map((name, seat) => `${name}: ${[0, 0.25, 0.5, 0.75, 1]
  .map((part) => percent(points[Math.round(part * (points.length - 1))].chances[seat])).join(", ")}`).join("; ")}.`;

// --- in words ---

/** The whole story as elements. `link(step)` makes the address of a step; `mine` are the seats of who reads. */
export function drawStory(story, { mine = [], link = null, width = 640, word = STORY_WORDS } = {}) {
  const { names, points } = story, told = highlights(story, mine.length ? mine : null);
  const at = (step, text) => (link ? make("a", { href: link(step) }, text) : text);
  const change = ({ point, before }, seat) => make("li", {}, at(point.step, point.text || word.end), make("br"),
    make("span", { class: "soft" }, word.change(names[seat], percent(before.chances[seat]), percent(point.chances[seat]))));
  const decisions = (some, say) => (some.length ? make("ol", { class: "story-list" }, ...some.map((each) => make("li", {}, at(each.step, say(each)),
    make("span", { class: "soft" }, [each.unusual && each.ahead > 0 ? ` ${word.unusual(each.policy)}` : "", each.certain ? "" : ` ${word.unsure}`].join(""))))) : make("p", { class: "soft" }, word.none));
  const part = (title, ...inside) => make("section", { class: "story-part" }, make("h3", {}, title), ...inside);
  const found = [...points.map((point) => point.how), ...points.flatMap((point) => point.decision?.how ?? [])].filter((text) => !text.startsWith("certain"));
  const how = [...new Map(found.map((text) => [text.replace(/[\d,]+/g, "…"), text])).values()]; // told once, whatever the number of tries
  return [
    names.length > 1 ? make("figure", { class: "story-figure" }, make("figcaption", {}, word.curve), drawCurve(story, { width, mine, word, height: Math.max(200, Math.min(360, width * 0.42)) })) : make("p", {}, word.alone),
    make("div", { class: "story-parts" },
      ...(names.length > 1 ? [part(word.turns, told.turns.length ? make("ol", { class: "story-list" }, ...told.turns.map((turn) => change(turn, turn.most))) : make("p", { class: "soft" }, word.even)),
        part(word.luck, told.luckiest ? make("ol", { class: "story-list" }, change(told.luckiest, told.luckiest.winner)) : make("p", { class: "soft" }, word.none))] : []),
      part(word.best, decisions(told.best, (each) => word.right(names[each.seat], each.played, amount(each.ahead, each)))),
      part(word.worst, decisions(told.worst, (each) => word.wrong(names[each.seat], each.played, each.better, amount(each.lost, each))))),
    ...how.map((text) => make("p", { class: "soft small" }, word.estimated(text))),
  ];
}

// --- as a picture ---

const [WIDTH, HEIGHT] = [1200, 630]; // as links are shown elsewhere

/** The result and the curve as a PNG, in the colours of the page; nothing leaves this machine. */
export async function storyPicture(story, { title, subtitle }) {
  const root = getComputedStyle(document.body), curve = drawCurve(story, { width: 1080, height: 400 });
  const { names, scores, winners } = story;
  const picture = draw("svg", { xmlns: "http://www.w3.org/2000/svg", width: WIDTH, height: HEIGHT, viewBox: `0 0 ${WIDTH} ${HEIGHT}` },
    draw("rect", { width: WIDTH, height: HEIGHT, fill: root.backgroundColor }),
    draw("text", { x: 60, y: 76, "font-size": 46, "font-weight": 700, fill: root.color, "font-family": "sans-serif" }, fit(title, 1080, 46, 700)),
    draw("text", { x: 60, y: 116, "font-size": 24, fill: root.color, opacity: 0.75, "font-family": "sans-serif" }, fit(subtitle, 1080, 24)),
    draw("text", { x: 60, y: 156, "font-size": 24, fill: root.color, "font-family": "sans-serif" }, fit(names.map((name, i) => `${winners.includes(i) ? "★ " : ""}${name} ${scores[i]}`).join("   "), 1080, 24)));
  const holder = make("div", { class: "unseen" });
  holder.append(curve);
  document.body.append(holder); // styles are known only of what is on the page
  for (const node of curve.querySelectorAll("*")) {
    const style = getComputedStyle(node);
    for (const name of ["fill", "stroke", "stroke-width", "opacity", "font-weight"]) node.setAttribute(name, style.getPropertyValue(name));
    node.setAttribute("font-family", "sans-serif");
  }
  holder.remove();
  const group = draw("g", { transform: "translate(60 180)" }, ...curve.childNodes);
  picture.append(group, draw("text", { x: 60, y: 606, "font-size": 18, fill: root.color, opacity: 0.75, "font-family": "sans-serif" }, `${STORY_WORDS.curve} · pitboss`));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(picture))}`;
  await image.decode();
  const canvas = make("canvas", { width: WIDTH, height: HEIGHT });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** Offer a picture as a file. */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
