// A plot of estimates that settle: a line and its 95 % band for each bot, over the number of games played.

import { make } from "./dom.js";
import { number, share, t } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
const COLOURS = 8; // in page.css: .series-0 …
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 130, 12, 30];

function draw(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Lines {name, points: [{games, mean, low, high}]}; in per cent, or plain numbers. */
export function drawPlot(element, lines, games, percent) {
  const width = Math.max(300, element.clientWidth), height = Math.max(220, Math.min(380, width * 0.5));
  const right = width < 520 ? 84 : RIGHT;
  const every = lines.flatMap((line) => line.points.flatMap((point) => [point.mean, point.low ?? point.mean, point.high ?? point.mean]));
  const [low, high] = percent ? [0, Math.min(1, Math.max(0.1, ...every))] : widened(Math.min(...every), Math.max(...every));
  const x = (n) => LEFT + ((width - LEFT - right) * n) / games;
  const y = (value) => TOP + (height - TOP - BOTTOM) * (1 - (value - low) / (high - low || 1));
  const form = (value) => (percent ? share(value, 0) : number(value, 1));
  const picture = draw("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": spoken(lines, form) });
  for (let i = 0; i <= 4; i += 1) {
    const value = low + ((high - low) * i) / 4;
    picture.append(draw("line", { class: "grid", x1: LEFT, x2: width - right, y1: y(value), y2: y(value) }),
      draw("text", { class: "tick", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, form(value)));
  }
  for (const n of [0, games / 2, games]) picture.append(draw("text", { class: "tick", x: x(n), y: height - 8, "text-anchor": n === 0 ? "start" : "middle" }, number(Math.round(n))));
  lines.forEach(({ points }, i) => {
    const band = points.filter((point) => point.low !== null);
    if (band.length > 1) {
      const edge = [...band.map((p) => `${x(p.games)} ${y(p.high)}`), ...[...band].reverse().map((p) => `${x(p.games)} ${y(p.low)}`)];
      picture.append(draw("path", { class: `band series-${i % COLOURS}`, d: `M${edge.join("L")}Z` }));
    }
    if (points.length) picture.append(draw("path", { class: `curve series-${i % COLOURS}`, d: `M${points.map((p) => `${x(p.games)} ${y(p.mean)}`).join("L")}` }));
  });
  for (const [i, at] of labelPlaces(lines, y, height)) {
    const end = lines[i].points.at(-1);
    picture.append(draw("circle", { class: `dot series-${i % COLOURS}`, cx: x(end.games), cy: y(end.mean), r: 3.5 }),
      draw("text", { class: `label series-${i % COLOURS}`, x: x(end.games) + 8, y: at + 4 }, lines[i].name));
  }
  element.replaceChildren(picture);
}

/** Names at the ends of their lines, moved apart where they would cover each other. */
function labelPlaces(lines, y, height) {
  const places = lines.flatMap((line, i) => (line.points.length ? [[i, y(line.points.at(-1).mean)]] : [])).sort((a, b) => a[1] - b[1]);
  places.forEach((place, k) => { if (k) place[1] = Math.max(place[1], places[k - 1][1] + 15); });
  const over = places.length ? places.at(-1)[1] - (height - BOTTOM) : 0;
  if (over > 0) for (const place of places) place[1] -= over;
  return places;
}

const widened = (low, high) => (high > low ? [low - (high - low) * 0.1, high + (high - low) * 0.1] : [low - 1, high + 1]);

const spoken = (lines, form) => `${t("lab.plot")}: ${lines.map(({ name, points }) => `${name} ${points.length ? form(points.at(-1).mean) : ""}`).join(", ")}`;

/** The small square that belongs to a line. */
export const swatch = (i) => make("span", { class: `swatch series-${i % COLOURS}`, "aria-hidden": "true" });
