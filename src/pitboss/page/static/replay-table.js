// A recorded game to step through: the table, the log, and what each decision gave away.

import { make, tidy } from "./dom.js";
import { presetOf } from "./games.js";
import { drawOpinion, isBlunder, lost, lostText } from "./opinion.js";
import { opinionOf } from "./opinions.js";
import { packGame } from "./packed.js";
import { ALL } from "./session.js";
import { copyable } from "./share.js";
import { keepBeside } from "./stage.js";
import { drawStory } from "./story.js";
import { taleOf, taleWords } from "./tale.js";
import { Table } from "./table.js";
import { t } from "./texts.js";

export class ReplayTable {
  constructor(root, session, step) {
    Object.assign(this, { root, session, eye: ALL, step: 0, gone: false, opinions: new Map(), blunders: [] });
    this.frames = session.steps.flatMap((each, number) => session.frames(each, ALL).map((frame, half) => ({ number, half, ends: frame.ends })));
    this.#draw();
    this.listener = (event) => this.#key(event);
    addEventListener("keydown", this.listener);
    this.go(Math.min(Math.max(0, this.frames.findIndex((frame) => frame.number >= step)), this.frames.length - 1));
    this.root.dataset.state = "replaying";
    this.#search();
  }

  leave() {
    this.gone = true;
    removeEventListener("keydown", this.listener);
  }

  #draw() {
    const { session } = this;
    const button = (what, sign, act) => make("button", { type: "button", "aria-label": t(what), title: t(what), onclick: act }, sign);
    const part = (this.part = {
      cloth: make("div", { class: "cloth" }),
      who: make("p", { class: "question" }),
      told: make("div", { class: "told", "aria-live": "polite" }),
      slider: make("input", { type: "range", min: 0, max: this.frames.length - 1, value: 0, "aria-label": t("replay.step"), oninput: () => this.go(Number(this.part.slider.value)) }),
      marks: make("div", { class: "marks", "aria-hidden": "true" }),
      said: make("section", { class: "hint", "aria-label": t("replay.said") }),
      status: make("p", { class: "soft small", role: "status" }),
      list: make("ol", { class: "blunders" }),
      tale: make("div", { class: "tale" }),
      log: make("ol", { class: "log", tabindex: "0", "aria-label": t("log") }),
    });
    const eyes = make("select", { "aria-label": t("replay.eyes"), onchange: () => {
      this.eye = eyes.value === "" ? ALL : Number(eyes.value);
      this.table.forget();
      this.#writeLog();
      this.go(this.step);
    } }, make("option", { value: "" }, t("replay.all")), ...session.names.map((name, i) => make("option", { value: i }, name)));
    const links = make("details", { class: "panel", ontoggle: () => links.open && links.replaceChildren(links.firstChild, ...this.#links()) }, make("summary", {}, t("advice.share")));
    this.root.classList.add("table-page");
    this.root.replaceChildren(
      make("h1", { class: "unseen" }, `${t("replay.title")}: ${presetOf(session.preset).fullTitle}`),
      part.stage = make("div", { class: "stage" }, make("section", { class: "felt", "aria-label": t("table") }, part.cloth),
      make("section", { class: "decide replaying", "aria-label": t("replay.step") }, part.who, part.told,
        make("div", { class: "slider" }, part.marks, part.slider),
        make("div", { class: "tools" }, button("replay.first", "|◀", () => this.go(0)), button("replay.backStep", "◀", () => this.go(this.step - 1)),
          button("replay.nextStep", "▶", () => this.go(this.step + 1)), button("replay.lastStep", "▶|", () => this.go(this.frames.length - 1)),
          make("button", { type: "button", onclick: () => this.#nextBlunder() }, t("replay.nextBlunder"), " ", make("kbd", { "aria-hidden": "true" }, "b")),
          session.secrets ? make("label", { class: "motion" }, make("span", {}, t("replay.eyes")), eyes) : null))),
      make("aside", {}, make("section", { class: "panel", "aria-label": t("replay.blunders") }, make("h2", {}, t("replay.blunders")), part.status, part.list),
        make("details", { class: "panel", "data-part": "tale", ontoggle: (event) => event.target.open && this.#tell() }, make("summary", {}, t("story.title")), part.tale),
        make("section", { class: "panel logbook", "aria-label": t("log") }, make("h2", {}, t("log")), part.log), links,
        make("p", { class: "soft small" }, t("replay.key"))));
    keepBeside(part.said, this.root.querySelector("aside"), part.stage);
    this.table = new Table(part.cloth, { toAct: t("table.toAct"), out: t("table.out") });
    this.#writeLog();
  }

  #writeLog() {
    this.part.log.replaceChildren(...this.session.steps.flatMap((step, number) => this.session.lines(step, this.eye).map(([text, major]) =>
      make("li", { class: major ? "event major" : "event", "data-step": number }, tidy(text)))));
  }

  #links() {
    const base = `${location.href.split("#")[0]}#/replay/`;
    const { number } = this.frames[this.step];
    return [make("p", { class: "small" }, t("replay.share")), ...copyable(`${base}${packGame(this.session)}?step=${number}`, t("replay.share")),
      make("p", { class: "small" }, t("replay.position")), ...copyable(`${base}${packGame(this.session, number + 1)}?step=${number}`, t("replay.position"))];
  }

  /** Show a frame: a step, or the end of the round within it. */
  go(step) {
    if (step < 0 || step >= this.frames.length) return;
    const { session, part } = this;
    const { number, half } = this.frames[step];
    const at = session.steps[number];
    const frame = session.frames(at, this.eye)[half];
    const was = this.step;
    this.step = step;
    this.table.near = this.eye;
    this.table.draw(frame.scene, this.table.scene ?? frame.scene, step === was + 1 ? frame.moments : []);
    part.slider.value = step;
    part.slider.setAttribute("aria-valuetext", `${step}`);
    const open = this.eye === ALL || this.eye === at.by;
    const what = at.move === null ? t("replay.start") : at.by < 0 ? t("replay.dealer") : `${session.names[at.by]}${open ? `: ${session.label(at.before, at.by, at.move)}` : ""}`;
    part.who.textContent = what;
    part.told.replaceChildren(...frame.lines.map(([text, major]) => make("p", { class: major ? "major" : "soft" }, tidy(text))));
    for (const line of part.log.querySelectorAll(".current")) line.classList.remove("current");
    const lines = part.log.querySelectorAll(`[data-step="${number}"]`);
    lines.forEach((line) => line.classList.add("current"));
    if (lines.length) part.log.scrollTop = lines[0].offsetTop - part.log.offsetTop - part.log.clientHeight / 2;
    part.said.hidden = true;
    if (at.move !== null && at.by >= 0 && open) this.#say(number);
  }

  /** What the moves were worth, as soon as that is known, if the step is still shown. */
  async #say(number) {
    const { session, part } = this;
    const { before, by, move } = session.steps[number];
    const said = await this.#opinion(number);
    if (!said || this.frames[this.step].number !== number) return;
    part.said.hidden = false;
    part.said.replaceChildren(...drawOpinion(said, (each) => session.label(before, by, each), move));
  }

  #opinion(number) {
    const { before, by } = this.session.steps[number];
    if (!this.opinions.has(number)) this.opinions.set(number, opinionOf(this.session, before, by));
    return this.opinions.get(number);
  }

  /** Look at all decisions, one after the other, without getting in the way. */
  async #search() {
    const { session, part } = this;
    const decisions = session.steps.flatMap((step, number) => (step.by !== null && step.by >= 0 ? [number] : []));
    for (const [i, number] of decisions.entries()) {
      const said = await this.#opinion(number);
      if (this.gone) return;
      const { move } = session.steps[number];
      if (said && isBlunder(said, move)) this.#blunder(number, said);
      part.status.textContent = t("replay.searching", { done: i + 1, all: decisions.length });
    }
    part.status.textContent = this.blunders.length ? "" : t("replay.none");
    this.root.dataset.state = "searched";
  }

  /** The story of the game, worked out when it is asked for. */
  async #tell() {
    const { session, part } = this;
    if (this.telling) return;
    this.telling = true;
    const bar = make("progress", { max: 1, value: 0, "aria-label": t("story.working") });
    part.tale.replaceChildren(bar);
    const tale = await taleOf(session, { opinion: (number) => this.#opinion(number), gone: () => this.gone, tell: (done, all) => { bar.value = done / all; } });
    if (this.gone) return;
    part.tale.replaceChildren(...(tale ? drawStory(tale, { width: 340, word: taleWords() }) : [make("p", { class: "soft" }, t("opinion.none"))]));
  }

  #blunder(number, said) {
    const { session, part } = this;
    const { before, by, move } = session.steps[number];
    const label = (each) => session.label(before, by, each);
    this.blunders.push(number);
    const mark = make("i");
    mark.style.left = `${(100 * this.#frameOf(number)) / Math.max(1, this.frames.length - 1)}%`;
    part.marks.append(mark);
    part.list.append(make("li", {}, make("button", { type: "button", class: "link", onclick: () => this.go(this.#frameOf(number)) },
      make("b", {}, session.names[by]), " ", t("replay.lost", { played: label(move), better: label(said.best), lost: lostText(said, lost(said, move)) }))));
  }

  #frameOf(number) {
    return this.frames.findIndex((frame) => frame.number === number);
  }

  #nextBlunder() {
    const here = this.frames[this.step].number;
    const next = this.blunders.find((number) => number > here) ?? this.blunders[0];
    if (next !== undefined) this.go(this.#frameOf(next));
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, summary")) return;
    const act = { ArrowRight: () => this.go(this.step + 1), ArrowLeft: () => this.go(this.step - 1), Home: () => this.go(0), End: () => this.go(this.frames.length - 1), b: () => this.#nextBlunder() }[event.key];
    if (!act) return;
    act();
    event.preventDefault();
  }
}
