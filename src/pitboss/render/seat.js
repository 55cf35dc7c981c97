// One seat at the table: who sits there, the hand, the points, and what has become of them.

import { SIGNS } from "./avatar.js";
import { card } from "./cards.js";
import { mark } from "./marks.js";
import { draw, fit, measure, words } from "./svg.js";

const STATE_MARKS = { bust: "crack", frozen: "snow", stays: "check", triumph: "star" };
const APART = 0.13; // of a card's width, between cards that do not overlap
const ROW_GAP = 0.3; // between the cards of two rows

/** The face of a person or a bot in a circle around 0 0. */
export const disc = ({ sign, tone }, r) => draw("g", { class: `avatar tone-${tone}` }, draw("circle", { r }),
  draw("path", { class: "avatar-sign", d: SIGNS[sign], "fill-rule": "evenodd", transform: `scale(${(r * 1.24) / 100}) translate(-50 -50)` }));

/** Cards as words, for those who do not see them. */
export const spoken = (row) => row.map((face) => face.name).join(", ");

const same = (a, b) => a.text === b.text && a.kind === b.kind && a.name === b.name;

/** Which faces of a row were not there before: each card of the old row explains one of the new. */
export function fresh(row, before) {
  const old = [...before];
  return row.map((face) => {
    const place = old.findIndex((other) => same(face, other));
    if (place >= 0) old.splice(place, 1);
    return place < 0;
  });
}

/** Cards side by side from `x` on; where there is not room for all, each covers a part of the one before. */
export function laid(rows, width, room) {
  const gaps = rows.map((row, i) => (i && row.length && rows.slice(0, i).some((above) => above.length) ? width * ROW_GAP : 0));
  const count = rows.flat().length;
  const extra = gaps.reduce((sum, gap) => sum + gap, 0);
  const stride = count > 1 ? Math.min(width * (1 + APART), (room - width - extra) / (count - 1)) : 0;
  const total = count ? width + extra + stride * (count - 1) : 0;
  let at = 0;
  const places = rows.map((row, i) => {
    at += gaps[i];
    return row.map(() => {
      const x = at;
      at += stride;
      return x;
    });
  });
  const step = Math.max(stride, (room - width) / Math.max(1, count), 1);
  return { places, total, stride, covered: stride < width * 0.97, step };
}

/** A row of cards as nodes, numbered from `first` on if somebody can pick them. */
export function hand(rows, before, width, room, { first = null, left = 0, top = 0 } = {}) {
  const { places, covered, stride } = laid(rows, width, room);
  const nodes = [];
  const last = rows.flat().length - 1;
  rows.forEach((row, r) => {
    const news = fresh(row, before[r] ?? []);
    row.forEach((face, i) => {
      const at = nodes.length;
      const node = card(face, width, { covered: covered && at < last, visible: Math.max(stride, 4) });
      node.setAttribute("transform", `translate(${left + places[r][i]} ${top})`);
      if (news[i]) node.classList.add("new");
      if (first !== null) node.setAttribute("data-place", first + at);
      nodes.push(node);
    });
  });
  return nodes;
}

/** A seat in its box, its corner at 0 0. */
export function drawSeat(seat, before, number, box, { texts, avatar, own }) {
  const { width, height, pad, size, head, high } = box;
  const state = [seat.to_act && texts.toAct, seat.out && texts.out, ...seat.badges].filter(Boolean).join(", ");
  const group = draw("g", {
    class: `seat${seat.to_act ? " to-act" : ""}${seat.out ? " out" : ""}${own ? " own" : ""}${seat.state ? ` is-${seat.state}` : ""}`,
    role: "img", "data-seat": number, "aria-label": [seat.name, state, seat.caption, ...seat.rows.map(spoken)].filter(Boolean).join(". "),
  });
  group.append(draw("rect", { class: "place", width, height, rx: 12 }));
  if (seat.to_act) group.append(draw("path", { class: "turn", d: `M0 ${head + pad}V12Q0 0 12 0H${width - 12}Q${width} 0 ${width} 12V${head + pad}Z` }));
  const middle = pad + head / 2 - (seat.to_act ? 1 : 0);
  const slim = width < 13 * size; // then the name needs the whole head, and the points stand below
  const right = slim ? width - pad : score(group, seat, width - pad, middle, size, width);
  const r = head * 0.47;
  let x = pad;
  if (seat.to_act) {
    group.append(draw("path", { class: "turn-sign", d: `M${x} ${middle - r * 0.8}L${x + r * 1.2} ${middle}L${x} ${middle + r * 0.8}Z` }));
    x += r * 1.2 + 5;
  }
  const face = disc(avatar, r);
  face.setAttribute("transform", `translate(${x + r} ${middle})`);
  group.append(face);
  x += 2 * r + 6;
  group.append(words(x, middle + size * 0.36, fit(seat.name, right - x - 4, size, 650), size, "name"));
  const rows = [...seat.rows].reverse();
  const down = pad + head + 5;
  const nodes = hand(rows, [...(before?.rows ?? [])].reverse(), box.card, width - 2 * pad, { first: 0, left: pad, top: down });
  group.append(draw("g", { class: "hand" }, ...nodes));
  foot(group, seat, pad, down + high + 4, (slim ? score(group, seat, width - pad, down + high + 4 + size * 0.7, size, 0) : width - pad) - pad, size);
  group.append(draw("title", {}, seat.name));
  return group;
}

/** Total and points at the right end of a seat's head; returns where they begin. */
function score(group, seat, x, middle, size, width) {
  let left = x;
  if (seat.points !== null && seat.points !== undefined) {
    const text = `${seat.points < 0 ? "−" : "+"}${Math.abs(seat.points)}`;
    const wide = measure(text, size * 1.05, 750) + size * 0.75;
    left -= wide;
    group.append(draw("rect", { class: "points-plate", x: left, y: middle - size * 0.75, width: wide, height: size * 1.5, rx: size * 0.75 }),
      words(left + wide / 2, middle + size * 0.38, text, size * 1.05, "points", { "text-anchor": "middle" }));
    left -= size * 0.35;
  }
  if (seat.total !== null && seat.total !== undefined && width > 0) {
    const text = `${seat.total}`.replace("-", "−");
    left -= measure(text, size, 650);
    group.append(words(left, middle + size * 0.36, text, size, "total"));
    left -= size * 0.3;
  }
  return left;
}

function stateMark(state, x, y, r) {
  const sign = mark(STATE_MARKS[state], r * 1.25);
  return draw("g", { class: `state ${state}`, transform: `translate(${x} ${y})` }, draw("circle", { r }), draw("g", { transform: `translate(${-r * 0.625} ${-r * 0.625})` }, sign));
}

/** Badges, or, where the game tells no points as numbers, what it says of the seat. */
function foot(group, seat, x, y, room, size) {
  const small = size * 0.86;
  let at = x;
  if (STATE_MARKS[seat.state]) {
    const r = small * 0.78;
    group.append(stateMark(seat.state, x + r, y + small * 0.75, r));
    at += 2 * r + 4;
  }
  for (const badge of seat.badges) {
    const text = fit(badge, x + room - at - small * 1.1, small, 600);
    if (text.length < Math.min(3, badge.length)) break;
    const wide = measure(text, small, 600) + small * 1.1;
    group.append(draw("rect", { class: "badge", x: at, y, width: wide, height: small * 1.5, rx: small * 0.75 }),
      words(at + wide / 2, y + small * 1.08, text, small, "badge-text", { "text-anchor": "middle" }));
    at += wide + 4;
  }
  const told = seat.points === null || seat.points === undefined;
  if (told && seat.caption && x + room - at > small * 5) group.append(words(at + (at > x ? 3 : 0), y + small * 1.08, fit(seat.caption, x + room - at - 4, small, 400), small, "caption"));
}

