// The great moments of a game, each a few moving pictures over a seat. A game says which of its events is which
// ([event.moments] in its words.toml); one of a name that is not here is a ring of light.
//
// A moment is (stage, seat, delay, a, b) => milliseconds for which it has the table to itself.

import { copyOf } from "./cards.js";
import { mark } from "./marks.js";
import { draw, words } from "./svg.js";

const STARS = 14;
const NOTHING = 0; // of the time: it happens beside whatever else does

export const MOMENTS = { bust, frozen, triumph, saved, scored, peek, swap, won, called: ring, "look across": lookAcross, other: ring };

function seatAt(stage, seat) {
  const at = stage.table.plan?.seats[seat];
  return at ? { x: at.x, y: at.y, width: at.box.width, height: at.box.height, card: at.box.card } : null;
}

/** A group over a seat, named for what happens there. */
function over(stage, name, seat) {
  const at = seatAt(stage, seat);
  if (!at) return null;
  const group = draw("g", { class: `moment ${name}`, "data-moment": name, transform: `translate(${at.x} ${at.y})` });
  stage.layer.append(group);
  return { group, ...at };
}

/** A sign that springs up in the middle of a seat, and goes. */
function sign(stage, at, name, delay, long = 800) {
  const size = Math.min(at.height * 0.62, at.width * 0.5);
  const moving = draw("g", {}, draw("circle", { class: "moment-disc", r: size * 0.62 }), draw("g", { transform: `translate(${-size / 2} ${-size / 2})` }, mark(name, size)));
  at.group.append(draw("g", { transform: `translate(${at.width / 2} ${at.height / 2})` }, moving));
  stage.move(moving, [{ transform: "scale(0.2)", opacity: 0 }, { transform: "scale(1.15)", opacity: 1, offset: 0.22 }, { transform: "scale(1)", opacity: 1, offset: 0.34 }, { transform: "scale(1)", opacity: 1, offset: 0.75 }, { transform: "scale(1.25)", opacity: 0 }], long, delay, "linear");
}

/** The hand breaks, every card in two, and falls. */
function bust(stage, seat, delay) {
  const at = over(stage, "bust", seat);
  if (!at) return NOTHING;
  stage.cards(seat).forEach(({ node, x, y, width }, i) => {
    stage.hide(node, delay + 620);
    for (const half of [0, 1]) {
      const clone = copyOf(node);
      clone.classList.remove("faded");
      clone.querySelector(".strike")?.remove();
      const high = width * 1.4;
      const edge = [[0.62, 0], [0.4, 0.35], [0.6, 0.55], [0.38, 1]].map(([u, v]) => `${u * width}px ${v * high}px`);
      clone.style.clipPath = half ? `polygon(${edge.join(",")}, ${width}px ${high}px, ${width}px 0px)` : `polygon(0px 0px, ${edge.join(",")}, 0px ${high}px)`;
      const moving = draw("g", {}, clone);
      at.group.append(draw("g", { transform: `translate(${x - at.x} ${y - at.y})` }, moving));
      const way = half ? 1 : -1;
      stage.move(moving, [{ transform: "none", opacity: 1 }, { transform: `translate(${way * 3}px, -3px) rotate(${way * 3}deg)`, opacity: 1, offset: 0.3 }, { transform: `translate(${way * width * 0.4}px, ${width * 0.7}px) rotate(${way * 34}deg)`, opacity: 0 }], 720, delay + i * 25, "cubic-bezier(0.5, 0, 0.8, 0.6)");
    }
  });
  sign(stage, at, "crack", delay + 340, 750);
  return 900;
}

/** Ice grows over the seat. */
function frozen(stage, seat, delay) {
  const at = over(stage, "frozen", seat);
  if (!at) return NOTHING;
  const ice = draw("rect", { class: "ice", width: at.width, height: at.height, rx: 12 });
  at.group.append(ice);
  stage.move(ice, [{ opacity: 0 }, { opacity: 1, offset: 0.35 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }], 1000, delay);
  for (let i = 0; i < 6; i += 1) {
    const size = at.card * (0.3 + 0.12 * (i % 3));
    const flake = draw("g", {}, mark("snow", size));
    at.group.append(draw("g", { class: "flake", transform: `translate(${at.width * ((0.13 + 0.37 * i) % 0.86)} ${at.height * ((0.1 + 0.29 * i) % 0.66)})` }, flake));
    stage.move(flake, [{ transform: "scale(0)", opacity: 0 }, { transform: "scale(1)", opacity: 1, offset: 0.4 }, { transform: "scale(1)", opacity: 0 }], 950, delay + i * 60);
  }
  sign(stage, at, "snow", delay + 60, 950);
  return 950;
}

/** The cards hop one after the other, stars fly, and the table says it in large letters. */
function triumph(stage, seat, delay) {
  const at = over(stage, "triumph", seat);
  if (!at) return NOTHING;
  stage.cards(seat).forEach(({ node }, i) => {
    const inside = node.querySelector(".inside");
    const scale = inside.getAttribute("transform");
    const hop = draw("g", {});
    inside.replaceWith(hop);
    hop.append(inside);
    inside.setAttribute("transform", scale);
    stage.move(hop, [{ transform: "none" }, { transform: `translate(0px, ${-at.card * 0.28}px)`, offset: 0.4 }, { transform: "none" }], 480, delay + i * 80, "ease-in-out");
  });
  light(stage, at, delay);
  burst(stage, at, delay + 200, STARS);
  const said = stage.scene.seats[seat].badges[0] ?? "";
  const { width, middleBox } = stage.table.plan;
  const size = Math.min(84, width / Math.max(5, said.length) * 1.1);
  const banner = draw("g", {}, words(0, size * 0.36, said, size, "banner", { "text-anchor": "middle" }));
  stage.layer.append(draw("g", { transform: `translate(${width / 2} ${middleBox.y + middleBox.height / 2})` }, banner));
  stage.move(banner, [{ transform: "scale(0.3)", opacity: 0 }, { transform: "scale(1.12)", opacity: 1, offset: 0.18 }, { transform: "scale(1)", opacity: 1, offset: 0.28 }, { transform: "scale(1.04)", opacity: 1, offset: 0.8 }, { transform: "scale(1.3)", opacity: 0 }], 1500, delay + 150, "linear");
  return 1600;
}

function won(stage, seat, delay) {
  const at = over(stage, "won", seat);
  if (!at) return NOTHING;
  light(stage, at, delay);
  sign(stage, at, "crown", delay, 1500);
  burst(stage, at, delay + 100, STARS * 2);
  return 1500;
}

function saved(stage, seat, delay) {
  const at = over(stage, "saved", seat);
  if (!at) return NOTHING;
  sign(stage, at, "shield", delay, 900);
  return 700;
}

/** A ring of light around a seat. */
function ring(stage, seat, delay) {
  const at = over(stage, "ring", seat);
  if (at) light(stage, at, delay);
  return NOTHING;
}

/** The points of a round fly to the marker in the race, or, where there is none, up and away. */
function scored(stage, seat, delay, points) {
  const at = over(stage, "scored", seat);
  if (!at || points <= 0) return NOTHING;
  const size = Math.max(18, Math.min(34, at.card * 0.45));
  const text = draw("g", {}, words(0, 0, `+${points}`, size, "flying-points", { "text-anchor": "middle" }));
  at.group.append(draw("g", { transform: `translate(${at.width / 2} ${at.height / 2})` }, text));
  const [x, y] = stage.old.runners.at.get(`${seat}`) ?? [at.x + at.width / 2, at.y - 20];
  const way = `translate(${x - at.x - at.width / 2}px, ${y - at.y - at.height / 2}px)`;
  stage.move(text, [{ transform: "scale(0.4)", opacity: 0 }, { transform: "scale(1.2)", opacity: 1, offset: 0.2 }, { transform: "scale(1)", opacity: 1, offset: 0.35 }, { transform: `${way} scale(0.5)`, opacity: 0.4 }], 950, delay + seat * 60, "ease-in-out");
  return NOTHING;
}

/** A corner of a card is lifted, so that one person sees it. */
function peek(stage, seat, delay, place) {
  const at = over(stage, "peek", seat);
  const found = stage.cards(seat).find((each) => each.place === place);
  if (!at || !found) return NOTHING;
  const { x, y, width } = found;
  const corner = draw("path", { class: "fold", d: `M0 0L${-width * 0.55} 0Q${-width * 0.5} ${-width * 0.42} 0 ${-width * 0.6}Z` });
  at.group.append(draw("g", { transform: `translate(${x - at.x + width} ${y - at.y + width * 1.4})` }, corner));
  stage.move(corner, [{ transform: "scale(0)" }, { transform: "scale(1)", offset: 0.35 }, { transform: "scale(1)", offset: 0.7 }, { transform: "scale(0)" }], 900, delay);
  return 500;
}

/** The same, of a card of the other seat. */
function lookAcross(stage, seat, delay, place) {
  return stage.scene.seats.length === 2 ? peek(stage, 1 - seat, delay, place) : ring(stage, seat, delay);
}

/** Two cards of two seats change places. */
function swap(stage, seat, delay, mine, theirs) {
  if (stage.scene.seats.length !== 2) return NOTHING;
  const cards = [[seat, mine], [1 - seat, theirs]].map(([who, place]) => stage.cards(who).find((each) => each.place === place));
  const at = over(stage, "swap", seat);
  if (!at || !cards[0] || !cards[1]) return NOTHING;
  cards.forEach((to, i) => {
    const from = cards[1 - i];
    const moving = draw("g", {}, copyOf(to.node));
    at.group.append(draw("g", { transform: `translate(${to.x - at.x} ${to.y - at.y})` }, moving));
    stage.hide(to.node, delay + 600);
    stage.move(moving, [{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})` }, { transform: "none" }], 600, delay, "ease-in-out");
  });
  return 600;
}

function light(stage, at, delay) {
  const glow = draw("rect", { class: "glow", x: -4, y: -4, width: at.width + 8, height: at.height + 8, rx: 15 });
  at.group.append(glow);
  stage.move(glow, [{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 0.3, offset: 0.5 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }], 1400, delay, "linear");
}

function burst(stage, at, delay, count) {
  for (let i = 0; i < count; i += 1) {
    const angle = (2 * Math.PI * i) / count + (i % 2) * 0.2;
    const far = at.width * (0.45 + 0.2 * (i % 3));
    const star = draw("g", {}, mark("star", 10 + 5 * (i % 3)));
    at.group.append(draw("g", { class: "spark", transform: `translate(${at.width / 2} ${at.height / 2})` }, star));
    stage.move(star, [{ transform: "scale(0.2)", opacity: 1 }, { transform: `translate(${Math.cos(angle) * far}px, ${Math.sin(angle) * far * 0.6 - 20}px) rotate(${i * 50}deg) scale(1.2)`, opacity: 0 }], 1000, delay, "cubic-bezier(0.1, 0.7, 0.4, 1)");
  }
}
