// A table at which people of this screen play. Steps are shown one after the other; then the person is asked.

import { make, tidy } from "./dom.js";
import { parseKey } from "./keys.js";
import { presetOf } from "./games.js";
import { motion, pause } from "./motion.js";
import { drawOpinion } from "./opinion.js";
import { opinionOf } from "./opinions.js";
import { namesOf } from "./seating.js";
import { ALL, Session } from "./session.js";
import { soundButton } from "./sound.js";
import { keepBeside, keepNewest } from "./stage.js";
import { Table } from "./table.js";
import { t } from "./texts.js";
import { wordSteps } from "./word-steps.js";

const FEW = 4; // cards to choose among up to which each has a button as well
const BREATH = 25; // steps without a pause after which the browser may draw

export class PlayTable {
  constructor(root, game, { preset, seats, key, moves }, { save, again, link }) {
    this.root = root;
    this.seats = seats;
    this.do = { save, again, link };
    this.people = seats.flatMap((seat, i) => (seat.kind === "person" ? [i] : []));
    this.session = new Session(game, { preset, names: namesOf(seats), key: parseKey(key) });
    this.eye = this.people.length ? this.people[0] : ALL;
    this.near = this.people[0] ?? this.seats.length - 1;
    this.gone = this.hurry = false;
    this.asked = null; // the choices of the person who is asked
    this.#draw();
    for (const move of moves) this.session.apply(move);
    this.listener = (event) => this.#key(event);
    addEventListener("keydown", this.listener);
  }

  get #shared() {
    return this.session.secrets && this.people.length > 1;
  }

  leave() {
    this.gone = true;
    this.wake?.();
    removeEventListener("keydown", this.listener);
  }

  begin() {
    const { steps, position } = this.session;
    if (this.#shared && !position.over) return this.#cover(this.people.includes(position.toAct) ? position.toAct : this.people[0]);
    this.#writeAll();
    this.#paint(this.session.frames(steps.at(-1), this.eye).at(-1).scene, null);
    this.#loop();
  }

  // --- the page ---

  #draw() {
    const { preset } = this.session;
    const part = (this.part = {
      cloth: make("div", { class: "cloth" }),
      brief: make("p", { class: "brief", "aria-live": "polite" }),
      question: make("p", { class: "question", hidden: true }),
      choices: make("div", { class: "choices" }),
      hint: make("section", { class: "hint", "aria-label": t("hint"), hidden: true }),
      ending: make("section", { class: "panel ending", "aria-label": t("ending"), hidden: true }),
      log: make("ol", { class: "log", tabindex: "0", "aria-label": t("log") }),
    });
    part.hintButton = make("button", { type: "button", hidden: true, title: t("hint.about"), onclick: () => this.#hint() }, t("hint"), " ", make("kbd", { "aria-hidden": "true" }, "?"));
    part.skip = make("button", { type: "button", hidden: true, onclick: () => this.#skip() }, t("skipAhead"), " ", make("kbd", { "aria-hidden": "true" }, "Esc"));
    const speed = make("select", { "aria-label": t("motion"), title: t("motion"), onchange: () => motion(speed.value) },
      ...["off", "fast", "calm", "slow"].map((each) => make("option", { value: each, selected: each === motion() }, t(`motion.${each}`))));
    const sounds = make("button", { type: "button", "data-do": "sound" }, t("sound"));
    soundButton(sounds);
    const rules = this.session.say.rules(preset);
    part.stage = make("div", { class: "stage" }, make("section", { class: "felt", "aria-label": t("table") }, part.cloth),
      make("section", { class: "decide", "aria-label": t("yourMove") }, part.brief, part.question, part.choices,
        make("div", { class: "tools" }, make("span", { class: "turns" }, part.hintButton, part.skip), sounds, make("label", { class: "motion" }, make("span", {}, t("motion")), speed))));
    this.root.classList.add("table-page");
    this.root.replaceChildren(
      make("h1", { class: "unseen" }, presetOf(preset).fullTitle),
      part.stage, make("aside", {}, part.ending,
        make("section", { class: "panel logbook", "aria-label": t("log") }, make("h2", {}, t("log")), part.log),
        make("details", { class: "panel" }, make("summary", {}, t("rules")), make("ul", { class: "words" }, ...rules.map((line) => make("li", {}, line))),
          make("p", { class: "soft small" }, t("keys")))));
    keepBeside(part.hint, this.root.querySelector("aside"), part.stage);
    keepNewest(part.log);
    this.table = new Table(part.cloth, { toAct: t("table.toAct"), out: t("table.out") });
    this.table.bots = this.seats.map((seat) => seat.kind !== "person");
    part.cloth.addEventListener("settled", () => this.rest?.());
    part.cloth.addEventListener("click", (event) => this.#touch(event));
  }

  #paint(scene, before, moments = []) {
    this.table.near = this.people.length ? this.near : null;
    this.table.draw(scene, before ?? scene, moments);
  }

  #write(lines) {
    const { log } = this.part;
    for (const [text, major] of lines) log.append(make("li", { class: major ? "event major" : "event" }, tidy(text)));
    log.scrollTop = log.scrollHeight;
    const last = lines.at(-1)?.[0];
    if (last) this.part.brief.textContent = tidy(last);
  }

  /** All that happened, for the eyes that look now. */
  #writeAll() {
    this.part.log.replaceChildren();
    this.#write(this.session.steps.flatMap((step) => this.session.lines(step, this.eye)));
  }

  // --- the game goes on ---

  async #loop() {
    let quick = 0;
    while (!this.gone) {
      const { position } = this.session;
      if (position.over) return this.#end();
      const seat = position.toAct;
      if (this.people.includes(seat)) return this.#ask(seat);
      const step = seat < 0 ? this.session.dealCard() : this.session.apply(position.ask(this.seats[seat].name));
      quick = await this.#show(step, quick);
    }
  }

  /** Show a step; a round that ended is looked at until somebody goes on. */
  async #show(step, quick = 0) {
    this.root.dataset.state = "busy";
    for (const frame of this.session.frames(step, this.eye)) {
      if (this.gone) return 0;
      const before = this.table.scene;
      if (!this.hurry || frame.ends) this.#paint(frame.scene, before, frame.moments);
      this.#write(frame.lines);
      if (frame.ends && this.people.length) await this.#roundOver(frame);
      else if (!this.hurry && pause() > 0) {
        this.part.skip.hidden = false;
        await this.#wait(Math.max(pause(), this.table.lively.left));
      } else quick += 1;
    }
    if (quick >= BREATH) {
      await this.#wait(0);
      return 0;
    }
    return quick;
  }

  #wait(milliseconds) {
    return new Promise((resolve) => {
      this.wake = this.rest = resolve;
      setTimeout(resolve, milliseconds);
    });
  }

  #skip() {
    this.hurry = true;
    this.wake?.();
  }

  #roundOver(frame) {
    const { part } = this;
    this.root.dataset.state = "round-over";
    part.skip.hidden = true;
    const major = frame.lines.filter(([, isMajor]) => isMajor).map(([text]) => make("li", {}, tidy(text)));
    part.question.hidden = false;
    part.question.textContent = t("round.over");
    return new Promise((resolve) => {
      this.wake = resolve;
      const go = make("button", { type: "button", class: "main big", "data-keys": "Enter", onclick: () => {
        this.hurry = false;
        this.#hush();
        resolve();
      } }, t("round.next"), " ", make("kbd", { "aria-hidden": "true" }, "↵"));
      part.choices.replaceChildren(make("ul", { class: "recap", tabindex: 0, "aria-label": t("log") }, ...major), go);
      go.focus({ preventScroll: true });
    });
  }

  #hush() {
    const { part } = this;
    part.question.hidden = part.hint.hidden = part.hintButton.hidden = true;
    part.choices.replaceChildren();
    this.table.pick([]);
    this.asked = null;
  }

  // --- a person is asked ---

  #ask(seat) {
    if (this.#shared && seat !== this.eye) return this.#handOver(seat);
    const { session, part } = this;
    this.#hush();
    if (this.hurry) this.#paint(session.scene(session.position, this.eye), null);
    this.hurry = false;
    part.skip.hidden = true;
    this.do.save(session, false);
    const view = session.view(session.position, seat);
    const texts = session.position.legal().map((move) => ({ move, text: session.label(session.position, seat, move), words: session.written(move, false).split(" "), on: session.say.touches(view, move, session.names, seat) }));
    this.asked = { seat, choices: withKeys(texts), question: session.question(session.position, seat) };
    this.root.dataset.state = "asked";
    part.question.hidden = false;
    part.hintButton.hidden = false;
    const picks = this.asked.choices.map((choice) => choice.on);
    this.table.pick(picks.filter(Boolean));
    if (picks.length > FEW && picks.every((on) => on && on[1] !== null)) this.#pointOut();
    else this.#offer([]);
  }

  /** The moves are cards on the table, and too many for buttons unless somebody wants them. */
  #pointOut() {
    const { part, asked } = this;
    part.question.textContent = `${asked.question} ${t("tapCard")}`;
    part.choices.replaceChildren(make("button", { type: "button", class: "move", "data-keys": "l", onclick: () => this.#offer([], () => this.#pointOut()) },
      make("span", {}, t("listAll", { n: asked.choices.length })), make("kbd", { "aria-hidden": "true" }, "l")));
    this.table.focus();
  }

  /** Buttons for the moves; where there are many, for their next words after those that are chosen already. */
  #offer(words, back = null) {
    const { part, asked } = this;
    const { chosen, offers } = wordSteps(asked.choices, words);
    const name = this.people.length > 1 ? `${this.session.names[asked.seat]}: ` : "";
    part.question.textContent = `${name}${asked.question}${chosen.length ? ` ${chosen.join(" ")} …` : ""}`;
    const buttons = offers.map(({ text, move, keys, words: then }) => make("button", {
      type: "button", class: move === null ? "move word" : this.session.names.includes(text) ? "move name" : "move", "data-move": move, "data-keys": keys.join(" "),
      onclick: () => (move === null ? this.#offer(then, () => this.#offer(words, back)) : this.#move(move)),
    }, make("span", {}, move === null ? `${text} …` : text), ...keys.slice(0, 1).map((key) => make("kbd", { "aria-hidden": "true" }, key))));
    if (back) buttons.push(make("button", { type: "button", "data-keys": "Escape", onclick: back }, t("back")));
    const held = !document.activeElement?.closest("aside, .tools, .bar"); // who is there with the keyboard stays there
    part.choices.replaceChildren(...buttons);
    if (held) part.choices.querySelector("button")?.focus({ preventScroll: true });
  }

  async #move(move) {
    this.#hush();
    const step = this.session.apply(move);
    this.do.save(this.session, this.session.position.over);
    await this.#show(step);
    this.#loop();
  }

  #hint() {
    const { part, asked, session } = this;
    if (!asked) return;
    if (!part.hint.hidden) return void (part.hint.hidden = true);
    const before = session.position.copy();
    const show = (said) => part.hint.replaceChildren(...(said === undefined ? [make("p", { class: "verdict" }, "…")] : drawOpinion(said, (move) => session.label(before, asked.seat, move))));
    part.hint.hidden = false;
    show(session.quick ? session.opinion(before, asked.seat) : undefined);
    if (!session.quick) opinionOf(session, before, asked.seat).then((said) => this.asked === asked && show(said));
  }

  // --- one screen, several people ---

  #handOver(seat) {
    this.#hush();
    this.part.skip.hidden = true;
    this.root.dataset.state = "handing";
    const button = make("button", { type: "button", class: "main big", "data-keys": "Enter", onclick: () => this.#cover(seat) }, t("handOver", { name: this.session.names[seat] }));
    this.part.choices.replaceChildren(button);
    button.focus({ preventScroll: true });
  }

  /** Take the table away, until the next person says that they look. */
  #cover(seat) {
    const { part, session } = this;
    const name = session.names[seat];
    this.#hush();
    this.root.dataset.state = "covered";
    this.table.forget();
    this.table.scene = null;
    part.log.replaceChildren();
    part.brief.textContent = t("cover.away");
    const button = make("button", { type: "button", class: "main big", "data-keys": "Enter", onclick: () => this.#uncover(seat) }, t("cover.show", { name }));
    part.cloth.replaceChildren(make("div", { class: "curtain" }, make("p", {}, t("cover.turn", { name }))));
    part.choices.replaceChildren(button);
    button.focus({ preventScroll: true });
  }

  #uncover(seat) {
    this.eye = this.near = seat;
    this.part.choices.replaceChildren();
    this.#writeAll();
    this.#paint(this.session.scene(this.session.position, seat), null);
    this.#loop();
  }

  // --- the end ---

  #end() {
    const { session, part } = this;
    this.#hush();
    part.skip.hidden = true;
    this.eye = ALL;
    this.#writeAll();
    this.#paint(session.scene(session.position, ALL), null);
    this.root.dataset.state = "over";
    this.do.save(session, true);
    const { winners, scores } = session.position.outcome();
    const order = scores.map((_, i) => i).sort((a, b) => winners.includes(b) - winners.includes(a) || scores[b] - scores[a]);
    const mine = this.people.length === 1 && winners.length === 1 && winners[0] === this.people[0];
    const title = winners.length === 1 ? (mine ? t("win.you") : t("win.name", { name: session.names[winners[0]] })) : t(winners.length ? "win.tie" : "win.nobody");
    part.brief.textContent = title;
    part.ending.hidden = false;
    part.ending.replaceChildren(make("h2", { class: mine ? "won" : "" }, title),
      make("table", { class: "plain" }, make("caption", { class: "unseen" }, t("scores")),
        make("tbody", {}, ...order.map((i) => make("tr", { class: winners.includes(i) ? "best" : "" }, make("th", { scope: "row" }, session.names[i]),
          make("td", { class: "num" }, `${scores[i]}`), make("td", {}, winners.includes(i) ? "★" : ""))))));
    const again = make("button", { type: "button", class: "main big", "data-keys": "Enter", onclick: () => this.#again(null) }, t("again"));
    part.choices.replaceChildren(again, make("button", { type: "button", onclick: () => this.#again(session.key) }, t("again.same")),
      make("a", { class: "button", href: this.do.link(session) }, t("replay.open")));
    again.focus({ preventScroll: true });
  }

  #again(key) {
    this.leave();
    this.do.again(key);
  }

  // --- keys and taps ---

  #touch(event) {
    const touched = Table.touched(event);
    const same = ({ on }) => on && on[0] === touched?.[0] && (on[1] === null || on[1] === touched[1]);
    const choice = this.asked?.choices.find(same);
    if (choice) this.#move(choice.move);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, summary")) return;
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const onCard = event.target.matches?.(".card.pick");
    if (onCard && step) this.table.focus(step);
    else if (onCard && (event.key === "Enter" || event.key === " ")) event.target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    else if (event.key === "Enter" && event.target.closest?.("button, a")) return; // its own key
    else {
      const [key, small] = [event.key, event.key.toLowerCase()].map((text) => `[data-keys~="${CSS.escape(text)}"]`);
      const choice = this.part.choices.querySelector(`${key}, ${small}`);
      if (choice) choice.click();
      else if (event.key === "?" && !this.part.hintButton.hidden) this.#hint();
      else if (event.key === "Escape" && !this.part.skip.hidden) this.#skip();
      else return;
    }
    event.preventDefault();
  }
}

/** Each choice by its number, and by its first letter where no other has it. */
function withKeys(choices) {
  const first = choices.map(({ text }) => text.match(/\p{L}/u)?.[0].toLowerCase());
  return choices.map((choice, i) => ({ ...choice, keys: [
    ...(first[i] && first.indexOf(first[i]) === first.lastIndexOf(first[i]) ? [first[i]] : []), ...(i < 9 ? [`${i + 1}`] : [])] }));
}
