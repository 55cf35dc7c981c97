// What happens between two scenes, shown on top of the table, which is already drawn as it is now: cards fly from the deck
// or from where they lay, a bust falls apart, a freeze freezes, points go to the race. Only transforms and opacity move, so
// nothing shifts; any key or tap finishes it; and where people want no motion there is none.

import { BACK, card, copyOf } from "./cards.js";
import { MOMENTS } from "./great-moments.js";
import { motion } from "./motion.js";
import { play } from "./sound.js";
import { draw } from "./svg.js";

const PACE = { off: 0, fast: 0.5, calm: 1, slow: 1.5 };
const FLIGHT = 340; // milliseconds that a card flies
const APART = 70; // milliseconds between two cards
const MOST_FLIGHTS = 40; // at once: a whole table that is cleared
const SKIP = ["keydown", "pointerdown"];
const EASE = "cubic-bezier(0.2, 0.8, 0.2, 1)";

export class Lively {
  constructor(table) {
    this.table = table;
    this.running = new Set();
    this.hidden = new Map(); // cards that are not seen yet: until when
    this.layer = null;
    this.ends = 0;
    this.skip = () => this.finish();
  }

  /** How many milliseconds what is shown will still take. */
  get left() {
    return this.layer ? Math.max(0, this.ends - performance.now()) : 0;
  }

  /** Where every card and marker lies, before the table is drawn anew. */
  remember() {
    const picture = PACE[motion()] ? this.table.element.querySelector("svg.table") : null;
    this.old = picture ? { cards: this.#cards(picture), runners: runners(picture) } : null;
  }

  /** Everything is where it belongs, at once. */
  finish() {
    if (!this.layer) return;
    const { layer } = this;
    this.layer = null;
    for (const each of this.running) each.cancel();
    for (const node of this.hidden.keys()) this.#unhide(node);
    this.running.clear();
    layer.remove();
    clearTimeout(this.timer);
    for (const kind of SKIP) removeEventListener(kind, this.skip, true);
    this.table.element.dispatchEvent(new CustomEvent("settled", { bubbles: true }));
  }

  /** Show what led from one scene to another. */
  tell(before, scene, moments) {
    const picture = this.table.element.querySelector("svg.table");
    if (!picture) return;
    sounds(picture.querySelector(".card.new"), moments, before, scene, this.table.near);
    this.pace = PACE[motion()];
    if (!this.pace || !this.old || document.hidden) return;
    this.ends = performance.now();
    this.layer = picture.appendChild(draw("g", { class: "flights", "aria-hidden": "true" }));
    const news = this.#cards(picture).filter(({ node }) => node.classList.contains("new"));
    const gone = this.#gone(picture);
    const dealt = moments.some(([name]) => name === "swap") ? 0 : this.#deal(news, gone); // which shows where they go itself
    const stage = { layer: this.layer, table: this.table, scene, move: (...all) => this.move(...all), hide: (node, delay) => this.hide(node, delay), cards: (seat) => this.#cards(picture).filter((each) => each.seat === seat), old: this.old };
    let after = dealt;
    for (const [name, seat, a, b] of moments) {
      const shown = (MOMENTS[name] ?? MOMENTS.other)(stage, seat, after, a, b);
      if (shown) after += shown;
    }
    this.#race(picture, after);
    if (!this.running.size) return this.finish();
    for (const kind of SKIP) addEventListener(kind, this.skip, { capture: true, passive: true });
    this.timer = setTimeout(() => this.finish(), this.left + 30);
  }

  /** Animate a node, after a delay; keyframes hold transforms and opacity. */
  move(node, keyframes, duration, delay = 0, easing = EASE) {
    const [long, late] = [duration * this.pace, delay * this.pace];
    this.running.add(node.animate(keyframes, { duration: long, delay: late, easing, fill: "both" }));
    this.ends = Math.max(this.ends, performance.now() + long + late);
  }

  /** Keep a node unseen until then. */
  hide(node, until) {
    clearTimeout(this.hidden.get(node));
    node.style.opacity = "0";
    this.hidden.set(node, setTimeout(() => this.#unhide(node), until * this.pace));
  }

  #unhide(node) {
    clearTimeout(this.hidden.get(node));
    this.hidden.delete(node);
    node.style.opacity = "";
  }

  #cards(picture) {
    const origin = picture.getBoundingClientRect();
    return [...picture.querySelectorAll(".card")].map((node) => {
      const face = node.querySelector(".face").getBoundingClientRect();
      const seat = node.closest("[data-seat]");
      return { node, text: node.dataset.card, seat: seat ? Number(seat.dataset.seat) : null, place: node.dataset.place ? Number(node.dataset.place) : null, back: node.classList.contains("hidden"), x: face.left - origin.left, y: face.top - origin.top, width: face.width };
    });
  }

  /** Cards of the old table that are no longer where they lay. */
  #gone(picture) {
    const here = this.#cards(picture).filter(({ node }) => !node.classList.contains("new")).map(({ seat, text }) => `${seat} ${text}`);
    return this.old.cards.filter(({ seat, text }) => {
      const found = here.indexOf(`${seat} ${text}`);
      if (found >= 0) here.splice(found, 1);
      return found < 0;
    });
  }

  /** New cards come from where such a card was, or from the deck; old ones that nobody has now go to the discards. */
  #deal(news, gone) {
    const { deckAt, discardsAt } = this.table;
    const left = [...gone];
    let last = 0;
    const sweep = left.length > 3;
    news.slice(0, MOST_FLIGHTS).forEach((card, i) => {
      const from = left.findIndex(({ text, back }) => text === card.text && !back);
      const source = from >= 0 ? left.splice(from, 1)[0] : null;
      const delay = (sweep ? FLIGHT * 0.6 : 0) + i * APART;
      this.#fly(card, source ?? { ...deckAt, width: deckAt.card }, delay, source === null && !card.back);
      last = delay + FLIGHT;
    });
    left.slice(0, MOST_FLIGHTS).forEach((card, i) => {
      const clone = copyOf(card.node);
      const inside = draw("g", {}, clone);
      this.layer.append(draw("g", { transform: `translate(${card.x} ${card.y})` }, inside));
      const scale = discardsAt.card / card.width;
      this.move(inside, [{ transform: "none", opacity: 1 }, { opacity: 1, offset: 0.7 }, { transform: `translate(${discardsAt.x - card.x}px, ${discardsAt.y - card.y}px) scale(${scale})`, opacity: 0 }], FLIGHT, Math.min(i * 18, 240));
      last = Math.max(last, FLIGHT);
    });
    return last;
  }

  /** A card flies to its place; one from the deck is turned on its way. */
  #fly({ node, x, y, width }, from, delay, turned) {
    const face = draw("g", {}, copyOf(node));
    const sides = draw("g", {}, face);
    const flying = draw("g", {}, sides);
    this.layer.append(draw("g", { transform: `translate(${x} ${y})` }, flying));
    this.hide(node, delay + FLIGHT);
    const start = `translate(${from.x - x}px, ${from.y - y}px) scale(${from.width / width})`;
    this.move(flying, [{ transform: start, opacity: delay ? 0 : 1 }, { transform: start, opacity: 1, offset: 0.01 }, { transform: "none", opacity: 1 }], FLIGHT, delay);
    if (!turned) return;
    const back = draw("g", {}, card(BACK, width));
    sides.append(back);
    const thin = (by) => `translate(${width / 2}px, 0px) scale(${by}, 1) translate(${-width / 2}px, 0px)`;
    this.move(back, [{ transform: thin(1), opacity: 1 }, { transform: thin(0.02), opacity: 1, offset: 0.5 }, { transform: thin(0.02), opacity: 0, offset: 0.51 }, { transform: thin(0.02), opacity: 0 }], FLIGHT, delay, "linear");
    this.move(face, [{ transform: thin(0.02), opacity: 0 }, { transform: thin(0.02), opacity: 0, offset: 0.49 }, { transform: thin(0.02), opacity: 1, offset: 0.5 }, { transform: thin(1), opacity: 1 }], FLIGHT, delay, "linear");
  }

  /** The markers of the race walk to their new totals. */
  #race(picture, delay) {
    const now = runners(picture);
    for (const [seat, node] of now.nodes) {
      const [x, y] = now.at.get(seat);
      const [oldX, oldY] = this.old.runners.at.get(seat) ?? [x, y];
      if (Math.abs(oldX - x) < 1) continue;
      const inside = node.firstElementChild;
      this.move(inside, [{ transform: `translate(${oldX - x}px, ${oldY - y}px)` }, { transform: "none" }], 600, delay * 0.8);
    }
  }
}

function runners(picture) {
  const nodes = new Map([...picture.querySelectorAll("[data-runner]")].map((node) => [node.dataset.runner, node]));
  const at = new Map([...nodes].map(([seat, node]) => [seat, node.getAttribute("transform").match(/-?[\d.]+/g).map(Number)]));
  return { nodes, at };
}

function sounds(news, moments, before, scene, near) {
  const great = moments.find(([name]) => name in { bust: 1, frozen: 1, triumph: 1, won: 1 });
  if (great) play(great[0]);
  else if (news) play("deal");
  if (near !== null && scene.seats[near]?.to_act && !before.seats[near]?.to_act) play("turn");
}
