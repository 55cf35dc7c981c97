// Where everything on a table lies: seats around it, one's own nearest, the deck in the middle, the race above.
//
// All seats but the own one are alike. They sit at the left, along the top, at the right, and, where there are many, beside
// the own seat. Of all such ways the one with the largest cards is taken. Nothing here draws.

import { PROPORTION } from "./cards.js";
import { between } from "./svg.js";

export const PAD = 10; // around the table
const GAP = 8; // between seats
const LEAST = 24; // pixels of a card's width
const MOST = 118;
const MOST_FREE = 84; // where the page is as high as we like
const LEAST_SEAT = 94; // pixels, so that a name can be read
const USUAL = 4.3; // cards for which a seat has room without overlap
const OWN = [2.2, 1.9, 1.65, 1.4, 1.2]; // how much larger one's own cards are, if there is room
const OWN_NARROW = [1, 0.86, 0.72]; // of the width that a hand may take, where the screen is narrow
const LOW = 380; // pixels of height of a telephone that lies on its side
const MOST_OWN = 150;
const CROWD = 9; // seats from which on each has less room
const NARROW = 620; // pixels of a table below which nobody sits at its sides

/** Sizes of a seat whose cards are so wide: its box, and where things lie in it. */
function seatOf(card, cards, most) {
  const pad = between(5, card * 0.13, 12);
  const size = between(11.5, card * 0.27, 19);
  const width = 2 * pad + card * cards;
  const head = size * 1.55;
  const foot = size * 1.5;
  const high = card * PROPORTION;
  return { card, pad, size, head, high, width: Math.min(width, most), height: 2 * pad + head + 4 + high + 4 + foot };
}

/** The middle of the table: the deck, what was discarded, and cards that wait there. */
function centreOf(card, { narrow }) {
  const pile = between(26, card * (narrow ? 0.8 : 0.95), 88);
  const size = between(11, pile * 0.22, 15);
  return { card: pile, size, high: pile * PROPORTION, rise: pile * 0.012, width: pile * 5.6, height: size * 1.7 + pile * (PROPORTION + 0.096) + size * 1.6 };
}

/** How many sit where: to the left and right, along the top in rows, at the bottom on each side of the own seat. */
function* ways(others, { own, narrow, low }) {
  for (let left = 0; left <= (narrow ? 0 : Math.min(5, Math.ceil(others / 2))); left += 1) {
    for (const right of low && left ? [left, left - 1] : [left]) { // where it is low, one alone sits at the left
      const rest = others - left - right;
      if (rest < 0) continue;
      if (!own) yield* rows({ left, right, beside: 0, top: Math.ceil(rest / 2), bottom: Math.floor(rest / 2) });
      else for (let beside = 0; beside <= (narrow ? 0 : Math.min(3, Math.floor(rest / 2))); beside += 1) yield* rows({ left, right, beside, top: rest - 2 * beside, bottom: 0 });
    }
  }
}

function* rows(way) {
  for (let lines = 1; lines <= Math.max(1, way.top); lines += 1) yield { ...way, lines: Math.min(lines, way.top), across: Math.max(Math.ceil(way.top / lines), Math.ceil(way.bottom / lines)) };
}

/** Everything's size if a card of the others is so wide, and how much room that takes. */
function plan(card, way, room, width, larger = room.owns.at(-1)) {
  const { own, narrow, race } = room;
  const inner = width - 2 * PAD;
  const share = (inner + GAP) / Math.max(1, way.across) - GAP;
  const seat = seatOf(card, room.usual, narrow && way.across ? share : inner);
  if (narrow && way.across) seat.width = Math.min(share, card * 9);
  const mine = own ? ownSeat(card, larger, inner, room) : { width: 0, height: 0, card: 0 };
  const centre = centreOf(card * 1.05, room);
  const topHeight = way.top ? way.lines * (seat.height + GAP) : 0;
  const bottomLines = way.bottom ? Math.ceil(way.bottom / Math.max(1, way.across)) : 0;
  const bottomHeight = Math.max(mine.height, way.beside ? seat.height : 0, bottomLines * (seat.height + GAP) - GAP, 0);
  const middle = Math.max(centre.height, way.left * (seat.height + GAP) - GAP);
  const height = PAD + race + topHeight + middle + GAP + bottomHeight + PAD;
  const wide = Math.max(
    way.across * (seat.width + GAP) - GAP,
    (way.left ? 2 * (seat.width + GAP) : 0) + (narrow ? 0 : centre.width),
    mine.width + 2 * way.beside * (seat.width + GAP),
  );
  const legible = !narrow || !way.across || seat.width >= Math.max(LEAST_SEAT, seat.card * 2.3);
  return { card, way, seat, mine, centre, topHeight, bottomHeight, middle, height, wide, fits: wide <= inner + 0.5 && legible };
}

function ownSeat(card, larger, inner, room) {
  const large = room.narrow ? Math.max(card, Math.min(74, inner / (Math.min(room.usual, 4.6) * 1.12)) * larger) : Math.min(card * larger, MOST_OWN);
  const cards = Math.max(room.usual, room.usual > 4 ? 7.4 : 3.3);
  return seatOf(large, room.narrow ? 99 : cards, room.narrow ? inner : Infinity);
}

/** The best way to sit: {seats: [{x, y, own}], seat, mine, centre, …} for `count` seats, of which `near` is one's own or null. */
export function places({ width, height }, count, near, { most, race, kept = null }) {
  const own = near !== null && near < count;
  const others = count - (own ? 1 : 0);
  const low = height > 0 && height < LOW;
  const narrow = width < NARROW && !low;
  const room = { own, narrow, low, owns: narrow ? OWN_NARROW : OWN, race: race && !low ? (narrow ? 40 : 46) : 0, usual: most.secret && most.hand <= 4 ? 3.3 : count >= CROWD ? 3.7 : USUAL };
  const known = kept && kept.count === count && kept.near === near && kept.narrow === narrow;
  const all = known ? [kept.way] : [...ways(others, room)];
  let best = null;
  for (const way of all) {
    const found = largest(way, room, width, height);
    if (!best || better(found, best, height)) best = found;
  }
  return spread({ ...best, width, narrow, own, race: room.race, kept: { way: best.way, count, near, narrow } }, count, near, height);
}

/** The largest cards with which a way of sitting fits; if none do, the smallest. */
function largest(way, room, width, height) {
  const fits = (it) => it.fits && (!height || it.height <= height);
  let [card, over] = [LEAST, (height ? MOST : MOST_FREE) + 1];
  const whole = fits(plan(card, way, room, width));
  while (whole && over - card > 1) {
    const middle = Math.floor((card + over) / 2);
    if (fits(plan(middle, way, room, width))) card = middle;
    else over = middle;
  }
  const larger = height && room.own && whole ? room.owns.find((own) => fits(plan(card, way, room, width, own))) : undefined;
  return { ...plan(card, way, room, width, larger), whole };
}

function better(one, other, height) {
  if (one.fits !== other.fits) return one.fits;
  if (one.whole !== other.whole) return one.whole;
  if (!one.whole) return one.height < other.height;
  if (!height) return one.height * other.card < other.height * one.card;
  return Math.round(one.card) + round(one) > Math.round(other.card) + round(other);
}

/** Who sits around a table sits better than in rows of a theatre. */
const round = ({ way }) => (way.left ? 8 : 0) - 8 * Math.max(0, way.lines - 1) - (way.left > 1 ? 1 : 9) * way.beside;

/** The places of all seats in their order, clockwise from the left of the own seat. */
function spread(plan, count, near, height) {
  const { way, seat, mine, width, race } = plan;
  const tall = Math.max(plan.height, height || 0);
  const spare = tall - plan.height; // is given to the middle, where it makes a table of rows
  const top = PAD + race;
  const middleTop = top + plan.topHeight;
  const middle = plan.middle + spare;
  const bottom = tall - PAD - plan.bottomHeight;
  const line = (n, y, w = width - 2 * PAD) => {
    const gap = Math.min(seat.width * 0.5, (w - n * seat.width) / Math.max(1, n));
    const left = (width - n * seat.width - (n - 1) * gap) / 2;
    return Array.from({ length: n }, (_, i) => ({ x: left + i * (seat.width + gap), y }));
  };
  const grid = (n, y0, down = 1) => {
    const out = [];
    for (let row = 0, left = n; left > 0; row += 1) {
      const here = Math.ceil(left / (Math.ceil(n / way.across) - row));
      out.push(...line(here, y0 + down * row * (seat.height + GAP)));
      left -= here;
    }
    return out;
  };
  const side = (count, x) => {
    const gap = Math.max(GAP, Math.min((middle - count * seat.height) / (count + 1), seat.height * 0.5));
    const start = middleTop + (middle - count * seat.height - (count - 1) * gap) / 2;
    return Array.from({ length: count }, (_, i) => ({ x, y: start + i * (seat.height + gap) }));
  };
  const inset = Math.min(width * 0.04, Math.max(0, (width - plan.wide) / 6));
  const [leftX, rightX] = [PAD + inset, width - PAD - inset - seat.width];
  const low = bottom + plan.bottomHeight - seat.height;
  const besideLeft = Array.from({ length: way.beside }, (_, i) => ({ x: (width - mine.width) / 2 - (i + 1) * (seat.width + GAP), y: low }));
  const besideRight = besideLeft.map(({ x, y }) => ({ x: width - x - seat.width, y }));
  const around = [...besideLeft, ...side(way.left, leftX).reverse(), ...grid(way.top, top), ...side(way.right, rightX), ...besideRight.reverse(), ...grid(way.bottom, bottom).reverse()];
  const first = plan.own ? near + 1 : 0;
  const seats = Array(count);
  around.forEach((at, i) => (seats[(first + i) % count] = { ...at, box: seat, own: false }));
  if (plan.own) seats[near] = { x: (width - mine.width) / 2, y: bottom + plan.bottomHeight - mine.height, box: mine, own: true };
  const wide = Math.max(plan.centre.width, width - 2 * PAD - (way.left ? 2 * (seat.width + inset + GAP * 2) : 0));
  return { ...plan, height: tall, seats, middleBox: { x: (width - wide) / 2, y: middleTop + (middle - plan.centre.height) / 2, width: wide, height: plan.centre.height, all: middle, top: middleTop } };
}
