// A card table in SVG. It draws scenes and knows no game: a scene is
//
//   {title, caption, seats: [{name, rows: [[face]], badges, caption, to_act, out, state?, points?, total?}],
//    centre: [[name, [face]]], target?, deck?, discarded?}
//
// with faces as cards.js draws them. Names and texts are only ever text, never markup.
//
//   const table = new Table(element);
//   table.near = 2;              // the seat that sits nearest
//   table.draw(scene);
//
// What a seat may ever need is reserved (`reserve`, and by every `draw`), so that nothing jumps about while cards come and
// go. What has happened between two scenes is shown by lively.js, on top of what is drawn here.

import { faces } from "./avatar.js";
import { BACK, card } from "./cards.js";
import { Lively } from "./lively.js";
import { places } from "./places.js";
import { drawRace } from "./race.js";
import { drawSeat, hand, spoken } from "./seat.js";
import { FONT, draw, fit, measure, words, wrap } from "./svg.js";

const LAYER = 11; // cards in a pile that make it one layer higher
const LAYERS = 9; // of a pile at most

export class Table {
  /** Draws into an element, and again whenever the element changes its size; its own few words may be others. */
  constructor(element, texts = {}) {
    this.element = element;
    this.texts = { toAct: "to act", out: "out", ...texts };
    this.near = null; // whose seat is drawn nearest and largest; null: nobody's
    this.bots = []; // whose seats these are, where a page knows: [false, true]
    this.scene = null;
    this.size = null;
    this.picks = [];
    this.pointed = null; // the place of the pick that the keyboard points at
    this.drawn = []; // seats as they were drawn last
    this.lively = new Lively(this);
    this.forget();
    new ResizeObserver(() => {
      if (!this.scene || !this.#measure()) return;
      this.lively.finish();
      this.#paint();
    }).observe(element);
  }

  /** Drop what was reserved, for another game. */
  forget() {
    this.plan = this.kept = null;
    this.known = new WeakSet();
    this.most = { seats: 0, hand: 0, secret: false };
  }

  /** Keep room for this scene. */
  reserve(scene) {
    if (this.known.has(scene)) return;
    this.known.add(scene);
    const before = JSON.stringify(this.most);
    const { most } = this;
    most.seats = Math.max(most.seats, scene.seats.length);
    for (const seat of scene.seats) {
      if (this.known.has(seat)) continue;
      this.known.add(seat);
      most.hand = Math.max(most.hand, seat.rows.reduce((sum, row) => sum + row.length, 0));
      most.secret ||= seat.rows.some((row) => row.some((face) => face.kind === "hidden"));
    }
    if (JSON.stringify(most) !== before) this.plan = null;
  }

  /** Show a scene, and tell what happened since `before`: cards come, and great moments [[name, seat, a, b]] are shown. */
  draw(scene, before = this.scene, moments = []) {
    this.reserve(scene);
    this.lively.finish();
    this.lively.remember();
    this.scene = scene;
    this.before = before;
    if (!this.size) this.#measure();
    this.#paint();
    if (before && before !== scene) this.lively.tell(before, scene, moments);
  }

  /** Mark what can be clicked, or reached by Tab: seats [2, null], and cards [0, 1], those of a seat's last row first. */
  pick(picks) {
    this.picks = picks;
    this.pointed = null;
    this.#markPicks();
  }

  /** The seat, and its card or null, that an event on the table is about. */
  static touched(event) {
    const seat = event.target.closest("[data-seat]");
    const card = event.target.closest("[data-place]");
    return seat ? [Number(seat.dataset.seat), card ? Number(card.dataset.place) : null] : null;
  }

  /** Let the keyboard point at a card that can be picked: the first, or one further on; also when it is drawn again. */
  focus(step = 0) {
    const cards = [...this.element.querySelectorAll(".card.pick")];
    this.pointed = (Math.max(cards.indexOf(document.activeElement), 0) + step + cards.length) % cards.length;
    cards[this.pointed]?.focus({ preventScroll: true });
  }

  #markPicks() {
    for (const node of this.element.querySelectorAll(".pick")) {
      node.classList.remove("pick");
      node.removeAttribute("tabindex");
      if (node.matches(".card")) node.removeAttribute("role");
    }
    for (const [seat, card] of this.picks) {
      const node = this.element.querySelector(`[data-seat="${seat}"]${card === null ? "" : ` [data-place="${card}"]`}`);
      node?.classList.add("pick");
      if (card !== null) node?.setAttribute("tabindex", "0"); // seats have buttons of their own
      if (card !== null) node?.setAttribute("role", "button");
    }
    this.element.querySelectorAll("[data-seat]").forEach((seat) => seat.setAttribute("role", seat.querySelector(".pick") ? "group" : "img"));
  }

  /** Take the room there is without us, and say whether it is another than before; height 0: as high as we like. */
  #measure() {
    const drawn = [...this.element.childNodes];
    this.element.replaceChildren();
    const { width, height } = this.element.getBoundingClientRect();
    this.element.replaceChildren(...drawn);
    const [old, size] = [this.size, { width, height: height > 160 ? height : 0 }];
    if (old?.width === size.width && old.height === size.height) return false;
    const alike = old && old.width === width && Math.abs(old.height - size.height) < size.height * 0.35;
    if (!alike) this.kept = null; // else people stay where they sit
    [this.size, this.plan] = [size, null];
    return true;
  }

  #layout() {
    const race = this.scene.target > 0 && this.scene.seats.some((seat) => Number.isFinite(seat.total));
    const near = this.near !== null && this.near >= 0 ? this.near : null;
    const plan = places(this.size, this.most.seats, near, { most: this.most, race, kept: this.kept });
    this.kept = plan.kept;
    return plan;
  }

  #paint() {
    if (!this.size.width) return; // not on the page yet; we are told when that changes
    const { scene, before } = this;
    if (this.plan && this.plan.near !== this.near) this.plan = null;
    const plan = (this.plan ??= { ...this.#layout(), near: this.near });
    const picture = draw("svg", {
      class: `table${plan.narrow ? " narrow" : ""}`, width: plan.width, height: plan.height, viewBox: `0 0 ${plan.width} ${plan.height}`, role: "group",
      "aria-label": `${scene.title}. ${scene.caption}`, "font-family": FONT,
    });
    const avatars = faces(scene.seats.map(({ name }, i) => ({ name, bot: this.bots[i] ?? false })));
    if (plan.race) picture.append(drawRace(scene, plan, avatars));
    picture.append(this.#middle(plan));
    scene.seats.forEach((seat, i) => {
      picture.append(this.#seat(seat, before?.seats[i], i, plan, avatars[i]));
    });
    const held = document.activeElement === document.body || this.element.contains(document.activeElement);
    this.element.replaceChildren(picture);
    this.#markPicks();
    this.#keepInSight();
    if (held && this.pointed !== null) this.element.querySelectorAll(".card.pick")[this.pointed]?.focus({ preventScroll: true });
  }

  /** A seat as it is, or the node of the last time, if nothing has changed there. */
  #seat(seat, before, i, plan, avatar) {
    const said = JSON.stringify([seat, avatar]);
    const last = this.drawn[i];
    if (before && last?.said === said && last.plan === plan) {
      for (const node of last.node.querySelectorAll(".new")) node.classList.remove("new");
      return last.node;
    }
    const { x, y, box, own } = plan.seats[i];
    const node = drawSeat(seat, before, i, box, { texts: this.texts, avatar, own });
    node.setAttribute("transform", `translate(${x} ${y})`);
    this.drawn[i] = { said, plan, node };
    return node;
  }

  /** Where a crowd is higher than the screen, whoever is to act stays in sight, or else the own seat. */
  #keepInSight() {
    const cloth = this.element.parentElement;
    if (!this.size.height || this.plan.height <= this.size.height + 1 || !cloth) return;
    const acting = this.scene.seats.findIndex((seat) => seat.to_act);
    const at = this.plan.seats[acting >= 0 ? acting : (this.near ?? 0)];
    if (!at) return;
    const [top, end] = [at.y - 8, at.y + at.box.height + 8];
    if (top < cloth.scrollTop || end > cloth.scrollTop + cloth.clientHeight) cloth.scrollTop = top < cloth.scrollTop ? top : end - cloth.clientHeight;
  }

  /** The round, the deck, what is discarded, and the cards that wait. */
  #middle(plan) {
    const { scene, before } = this;
    const { middleBox: box, centre } = plan;
    const group = draw("g", { class: "head", transform: `translate(${box.x} ${box.y})` });
    const { size, card: wide, high } = centre;
    const [, table, chapter] = scene.title.match(/^(.*), ([^,]*)$/s) ?? [null, "", scene.title];
    const piles = [...(scene.deck === null || scene.deck === undefined ? [] : [["deck", scene.deck]]), ...(scene.discarded === null || scene.discarded === undefined ? [] : [["discards", scene.discarded]])];
    const rows = scene.centre;
    const pileRoom = wide * 1.3;
    const rest = box.width - (piles.length ? piles.length * pileRoom : 0);
    const each = rows.length ? Math.min(rest / rows.length - wide * 0.2, wide * 4.6) : 0;
    const spans = rows.map(([name, faces]) => Math.max(Math.min(each, wide + wide * 1.1 * (faces.length - 1)), Math.min(each, measure(name, size, 500))));
    const total = (piles.length ? piles.length * pileRoom : 0) + spans.reduce((sum, span) => sum + span + wide * 0.25, 0);
    let x = Math.max(0, (box.width - total) / 2);
    const title = fit(`${chapter.slice(0, 1).toUpperCase()}${chapter.slice(1)}`, box.width - 8, size * 1.25, 700);
    group.append(words(box.width / 2, size * 1.15, title, size * 1.25, "title chapter", { "text-anchor": "middle" }));
    if (table && box.y - box.top > size * 2) group.append(words(box.width / 2, -size * 0.4, fit(table, box.width, size, 500), size, "soft rules", { "text-anchor": "middle" }));
    const top = size * 1.9 + (LAYERS - 1) * centre.rise; // a full deck is that much higher
    this.deckAt = { x: box.x + x, y: box.y + top, card: wide };
    this.discardsAt = { x: box.x + x + pileRoom, y: box.y + top, card: wide };
    piles.forEach(([kind, count], i) => {
      group.append(this.#pile(kind, count, x + i * pileRoom, top, centre), words(x + i * pileRoom + wide / 2, top + high + size * 1.35, `${count}`, size, "soft count", { "text-anchor": "middle" }));
    });
    if (!piles.length) {
      this.deckAt = { x: box.x + box.width / 2 - wide / 2, y: box.y + top, card: wide };
      this.discardsAt = this.deckAt;
      if (scene.caption && !rows.length) wrap(scene.caption, box.width - 8, size).slice(0, 3).forEach((line, i) => group.append(words(box.width / 2, top + size * 1.35 * (i + 1), line, size, "soft", { "text-anchor": "middle" })));
    } else x += piles.length * pileRoom;
    const old = new Map(before?.centre ?? []);
    rows.forEach(([name, faces], i) => {
      const row = draw("g", { role: "img", "aria-label": `${name}: ${spoken(faces)}` });
      row.append(...hand([faces], [old.get(name) ?? []], wide, spans[i], { left: x, top }));
      row.append(words(x + spans[i] / 2, top + high + size * 1.35, fit(name, spans[i] + wide * 0.2, size, 500), size, "soft", { "text-anchor": "middle" }));
      group.append(row);
      x += spans[i] + wide * 0.25;
    });
    return group;
  }

  /** A pile that thins as it is dealt: a layer for every few cards. */
  #pile(kind, count, x, y, { card: wide, rise }) {
    const layers = count > 0 ? Math.min(LAYERS, 1 + Math.floor(count / LAYER)) : 0;
    const group = draw("g", { class: `pile ${kind}`, transform: `translate(${x} ${y})`, "aria-hidden": "true" });
    group.append(draw("rect", { class: "spot", width: wide, height: wide * 1.4, rx: wide * 0.12 }));
    for (let i = 0; i < layers; i += 1) {
      const back = i === layers - 1 ? card(BACK, wide) : draw("rect", { class: "layer", width: wide, height: wide * 1.4, rx: wide * 0.12 });
      back.classList.remove("card");
      back.removeAttribute("data-card");
      const jog = kind === "discards" ? Math.sin(i * 2.3) * 1.6 : 0;
      back.setAttribute("transform", `translate(${jog} ${-i * rise})`);
      group.append(back);
    }
    return group;
  }
}
