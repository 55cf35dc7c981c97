// Advice at a real table: tap the cards as they fall and the moves as they are made; the engine keeps the table.
//
// All that was tapped is kept on the device at each tap: {preset, names, me, totals, moves}. No rule is written here: a
// card is a move of the dealer, and a card that is tapped where somebody may still choose means the one move that draws.

import { cardPicture } from "./cards.js";
import { make } from "./dom.js";
import { DEALER } from "./engine.js";
import { GAMES, gameNameOf, gameOf, presetOf } from "./games.js";
import { drawOpinion } from "./opinion.js";
import { opinionOf } from "./opinions.js";
import { packGame } from "./packed.js";
import { presetChooser } from "./seating.js";
import { Session, hasTotals } from "./session.js";
import { copyable } from "./share.js";
import { keep, recall } from "./store.js";
import { Table } from "./table.js";
import { share, t } from "./texts.js";

const SAVED = "advice";
const open = (preset) => !GAMES.find((game) => game.name === gameNameOf(preset.text)).secrets;

export async function advicePage(root) {
  const page = new AdvicePage(root);
  const saved = recall(SAVED);
  if (saved?.following) await page.follow(saved);
  else await page.describe(saved);
}

class AdvicePage {
  constructor(root) {
    this.root = root;
  }

  // --- the table described ---

  async describe(saved) {
    const known = saved ?? { preset: presetOf("").text, names: [t("advice.me"), "Ann", "Bob"], totals: [0, 0, 0], me: 0 };
    let { preset, me } = known;
    const players = known.names.map((name, i) => ({ name, total: known.totals[i] ?? 0 }));
    const list = make("ol", { class: "players" });
    const problem = make("p", { class: "callout", role: "alert", hidden: true });
    const more = make("button", { type: "button", onclick: () => { players.push({ name: `${String.fromCharCode(64 + players.length)}`, total: 0 }); show(); } }, t("advice.more"));
    const fewer = make("button", { type: "button", onclick: () => { players.pop(); me = Math.min(me, players.length - 1); show(); } }, t("advice.fewer"));
    const show = async () => {
      const game = await gameOf(gameNameOf(preset));
      const [least, most] = game.preset(preset).seats;
      while (players.length < least) players.push({ name: `${String.fromCharCode(64 + players.length)}`, total: 0 });
      players.length = Math.min(players.length, most);
      me = Math.min(me, players.length - 1);
      more.disabled = players.length >= most;
      fewer.disabled = players.length <= least;
      list.replaceChildren(...players.map((player, i) => {
        const name = make("input", { type: "text", maxlength: 16, value: player.name, "aria-label": t("advice.name", { n: i + 1 }), oninput: () => (player.name = name.value) });
        const total = make("input", { type: "number", min: 0, max: 9999, value: player.total, "aria-label": t("advice.total", { n: i + 1 }), hidden: !hasTotals(game), oninput: () => (player.total = Number(total.value) || 0) });
        const mine = make("input", { type: "radio", name: "me", onchange: () => (me = i) });
        mine.checked = me === i;
        return make("li", {}, name, total, make("label", { class: "field" }, mine, t("advice.me")));
      }));
    };
    await show();
    this.root.dataset.state = "describing";
    this.root.replaceChildren(make("form", { class: "column wide", onsubmit: async (event) => {
      event.preventDefault();
      try {
        await this.follow({ preset, me, names: players.map((player, i) => player.name.trim() || t("player", { n: i + 1 })), totals: players.map((player) => player.total), moves: [], taps: [], following: true });
      } catch (refused) {
        problem.hidden = false;
        problem.textContent = refused.message;
      }
    } }, make("h1", {}, t("advice.title")), make("p", { class: "lead" }, t("advice.lead")),
    make("div", { class: "two" }, presetChooser(preset, (text) => { preset = text; show(); }, open),
      make("section", { class: "card" }, make("h2", {}, t("advice.players")), list, make("div", { class: "line" }, more, fewer), problem, make("button", { class: "main big" }, t("advice.begin"))))));
  }

  // --- the table followed ---

  async follow(saved) {
    const game = await gameOf(gameNameOf(saved.preset));
    this.saved = saved;
    this.session = new Session(game, saved);
    for (const move of saved.moves) this.session.apply(move);
    const part = (this.part = {
      due: make("h2", { class: "due", role: "status" }),
      told: make("p", { class: "soft small" }),
      moves: make("div", { class: "choices", role: "group", "aria-label": t("advice.moves") }),
      cards: make("div", { class: "keys", role: "group", "aria-label": t("advice.keys") }),
      advice: make("section", { class: "panel advice", "aria-live": "polite", "aria-label": t("nav.advice") }),
      undo: make("button", { type: "button", class: "big", onclick: () => this.#undo() }, t("advice.undo")),
      cloth: make("div", { class: "cloth" }),
      link: make("details", {}, make("summary", {}, t("advice.share"))),
    });
    this.root.replaceChildren(make("div", { class: "follow" }, make("h1", { class: "unseen" }, t("advice.title")), part.advice,
      make("section", { class: "panel taps" }, part.due, part.moves, part.cards, make("div", { class: "line" }, part.undo,
        make("button", { type: "button", onclick: () => this.#leave() }, t("advice.end"))), part.told),
      make("section", { class: "felt", "aria-label": t("table") }, part.cloth), make("section", { class: "panel" }, part.link)));
    part.link.addEventListener("toggle", () => part.link.open && this.#share());
    this.table = new Table(part.cloth, { toAct: t("table.toAct"), out: t("table.out") });
    this.#show();
  }

  #show() {
    const { session, part, saved } = this;
    const { position, names } = session;
    const asked = position.toAct === DEALER ? session.taker(position) : position.toAct;
    const name = names[asked] ?? null;
    const drawing = session.drawing(position);
    this.root.dataset.state = position.over ? "over" : "following";
    this.root.dataset.taps = saved.taps.length;
    this.table.near = saved.me;
    this.table.draw(session.scene(position, saved.me));
    part.told.textContent = (session.steps.length > 1 ? session.lines(session.steps.at(-1), saved.me) : []).map(([text]) => text.replace(/^-+ | -+$/g, "")).join(" · ");
    part.undo.disabled = !saved.taps.length;
    part.link.open = false;
    if (position.over) part.due.textContent = t("advice.over");
    else if (position.toAct === DEALER) part.due.textContent = name ? t("advice.card", { name }) : t("advice.anyCard");
    else part.due.textContent = drawing === null ? `${name}: ${session.question(position, asked)}` : t("advice.cardOr", { name });
    const moves = position.toAct >= 0 ? position.legal().filter((move) => move !== drawing) : [];
    part.moves.replaceChildren(...moves.map((move) => make("button", { type: "button", class: "move", "data-move": move, onclick: () => this.#tap([move]) }, make("span", {}, session.label(position, asked, move)))));
    this.#showCards(drawing);
    this.#advise();
  }

  #showCards(drawing) {
    const { session, part } = this;
    const at = session.position.copy();
    if (drawing !== null) at.apply(drawing);
    const coming = session.coming(at);
    part.cards.replaceChildren(...coming.map(({ card, left, chance, out }) => {
      const face = session.say.face(card);
      const spoken = chance === null ? face.name : t("advice.left", { card: face.name, left, chance: share(chance) });
      return make("button", { type: "button", class: out ? "harm" : null, "data-card": card, "aria-label": out ? `${spoken}, ${t("advice.out")}` : spoken, onclick: () => this.#tap(drawing === null ? [card] : [drawing, card]) },
        cardPicture(face, { width: 32 }), chance === null ? null : make("small", {}, `${out ? "✗ " : ""}${share(chance)}`));
    }));
  }

  /** What to do, if it is my decision; else what whoever decides should do. */
  #advise() {
    const { session, part, saved } = this;
    const { position, names } = session;
    const seat = position.toAct;
    if (seat < 0) {
      const again = part.advice.childElementCount && position.toAct === DEALER;
      if (!again || seat === -2) part.advice.replaceChildren(make("p", { class: "soft" }, t("advice.nothing")));
      return;
    }
    const show = (said) => part.advice.replaceChildren(...(seat === saved.me ? [] : [make("p", { class: "soft small" }, t("advice.for", { name: names[seat] }))]),
      ...(said === undefined ? [make("p", { class: "verdict" }, "…")] : drawOpinion(said, (move) => session.label(before, seat, move))), ...gauge(session.risk(before)));
    const before = position.copy(), taps = saved.taps.length;
    if (!session.quick) {
      show(undefined);
      opinionOf(session, before, seat).then((said) => this.session === session && this.saved.taps.length === taps && show(said));
      return;
    }
    const began = performance.now();
    const said = session.opinion(before, seat);
    this.root.dataset.milliseconds = (performance.now() - began).toFixed(1);
    show(said);
  }

  #tap(moves) {
    for (const move of moves) this.session.apply(move);
    this.saved = { ...this.saved, moves: this.session.moves, taps: [...this.saved.taps, moves.length] };
    keep(SAVED, this.saved);
    this.#show();
  }

  #undo() {
    const count = this.saved.taps.at(-1);
    const saved = { ...this.saved, moves: this.saved.moves.slice(0, -count), taps: this.saved.taps.slice(0, -1) };
    keep(SAVED, saved);
    this.saved = saved;
    this.session = new Session(this.session.game, saved);
    for (const move of saved.moves) this.session.apply(move);
    this.#show();
  }

  #share() {
    const address = `${location.href.split("#")[0]}#/replay/${packGame(this.session)}`;
    this.part.link.replaceChildren(this.part.link.firstChild, ...copyable(address, t("advice.share")));
  }

  #leave() {
    const { preset, names, me, totals } = this.saved;
    const saved = { preset, names, me, totals };
    keep(SAVED, saved);
    this.describe(saved);
  }
}

/** How likely the next card is one too many. */
function gauge(risk) {
  if (risk === null) return [];
  const bar = make("i");
  bar.style.width = `${100 * risk}%`;
  return [make("p", { class: "small" }, t("advice.risk", { risk: share(risk) })), make("div", { class: "gauge", "aria-hidden": "true" }, bar)];
}
