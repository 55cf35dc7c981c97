// Trainer: you decide, the engine says what each move was worth. What you give away is kept on this device.

import { make } from "./dom.js";
import { freshKey, keyFromSeed } from "./keys.js";
import { Exercises, kindOf, kindText, riskRange, seedOfDay } from "./exercises.js";
import { presetOf } from "./games.js";
import { drawOpinion, isBlunder, lost, lostText, sumText } from "./opinion.js";
import { packGame } from "./packed.js";
import { drawPlot } from "./plot.js";
import { presetChooser } from "./seating.js";
import { keep, recall } from "./store.js";
import { Table } from "./table.js";
import { language, share, t } from "./texts.js";

const DAILY = 10;
const AVERAGE = 10; // decisions that a point of the curve is the mean of
const MOST_KEPT = 2000;

export async function trainPage(root, [mode]) {
  const page = new TrainPage(root);
  if (mode === "daily") await page.begin(page.daily());
  else page.menu();
  return () => page.leave();
}

class TrainPage {
  constructor(root) {
    this.root = root;
    this.preset = presetOf(recall("train.preset", "")).text;
    this.listener = (event) => this.#key(event);
    addEventListener("keydown", this.listener);
  }

  leave() {
    this.gone = true;
    removeEventListener("keydown", this.listener);
  }

  /** Decisions so far: [{lost, unit, percent, kind, question, played, better, right}]. */
  get #record() {
    return recall(`train.${this.preset}`, []);
  }

  // --- what to train ---

  menu() {
    this.root.dataset.state = "menu";
    this.root.classList.remove("table-page");
    const record = this.#record;
    const today = new Date();
    const done = recall(`daily.${this.preset}`);
    const kinds = mistakes(record);
    const worst = kinds[0];
    const plot = make("div", { class: "plot-box small-plot" });
    const door = (title, about, act, main = false) => make("section", { class: "card" }, make("h2", {}, title), make("p", { class: "soft" }, about),
      make("button", { type: "button", class: main ? "main big" : "big", "aria-label": `${t("train.begin")}: ${title}`, onclick: act }, t("train.begin")));
    this.root.replaceChildren(make("div", { class: "column wide" }, make("h1", {}, t("train.title")), make("p", { class: "lead" }, t("train.lead")),
      make("div", { class: "three" },
        door(t("train.daily"), done?.day === seedOfDay(today) ? t("train.daily.done", { lost: done.lost }) : t("train.daily.about", { date: today.toLocaleDateString(language(), { dateStyle: "long" }) }), () => this.begin(this.daily()), true),
        door(t("train.free"), t("train.free.about"), () => this.begin({ exercises: new Exercises(this.preset, freshKey()), all: Infinity })),
        ...(worst ? [door(t("train.weak"), t("train.weak.about", { kind: explained(worst) }), () => this.begin(this.#exercisesOf(worst)))] : [])),
      make("div", { class: "two" }, make("section", { class: "card" }, make("h2", {}, t("train.record")), make("p", { class: "soft small" }, t("train.plot")), plot,
        make("p", {}, record.length ? t("train.decisions", { n: record.length, lost: sumText(record.map((each) => ({ ...each, lost: each.lost / record.length }))) }) : t("train.none")),
        ...(kinds.length ? [make("h2", {}, t("train.mistakes")), make("ol", { class: "mistakes" }, ...kinds.slice(0, 5).map((kind) => make("li", {}, make("p", {}, explained(kind)),
          make("p", { class: "soft small" }, t("train.kind.line", { n: kind.count, lost: lostText(kind, kind.lost) })),
          make("button", { type: "button", onclick: () => this.begin(this.#exercisesOf(kind)) }, t("train.exercises")))))] : []),
        record.length ? make("button", { type: "button", class: "quiet", onclick: () => { keep(`train.${this.preset}`, null); this.menu(); } }, t("train.forget")) : null),
      presetChooser(this.preset, (text) => { this.preset = text; keep("train.preset", text); this.menu(); this.root.querySelector(`[value="${text}"]`)?.focus(); }))));
    const usual = record.filter((each) => each.percent === record[0].percent && each.unit === record[0].unit); // one unit in one plot
    if (usual.length > 1) drawPlot(plot, [{ name: "", points: averages(usual) }], usual.length, Boolean(usual[0].percent));
    else plot.hidden = true;
  }

  /** Ten positions, the same for everybody on this day. */
  daily() {
    return { exercises: new Exercises(this.preset, keyFromSeed(seedOfDay(new Date()))), all: DAILY, day: seedOfDay(new Date()) };
  }

  /** Positions in which the same mistake can be made. */
  #exercisesOf({ kind }) {
    const wanted = (session, position, said) => {
      const here = kindOf(session, position, said, null);
      return here.decision === kind.decision && here.best === kind.best && here.risk === kind.risk;
    };
    return { exercises: new Exercises(this.preset, freshKey(), wanted), all: DAILY };
  }

  // --- one position ---

  async begin(set) {
    this.set = { ...set, number: 0, right: 0, entries: [] };
    const part = (this.part = {
      cloth: make("div", { class: "cloth" }),
      count: make("p", { class: "brief", "aria-live": "polite" }),
      question: make("p", { class: "question" }),
      choices: make("div", { class: "choices" }),
      verdict: make("section", { class: "hint", "aria-live": "polite", "aria-label": t("train.why"), hidden: true }),
      log: make("ol", { class: "log", tabindex: "0", "aria-label": t("log") }),
    });
    this.root.classList.add("table-page");
    this.root.replaceChildren(make("h1", { class: "unseen" }, t("train.title")),
      make("div", { class: "stage" }, make("section", { class: "felt", "aria-label": t("table") }, part.cloth),
        make("section", { class: "decide training", "aria-label": t("yourMove") }, part.count, part.question, part.choices, part.verdict)),
      make("aside", {}, make("section", { class: "panel logbook", "aria-label": t("log") }, make("h2", {}, t("log")), part.log),
        make("button", { type: "button", onclick: () => this.menu() }, t("back"))));
    this.table = new Table(part.cloth, { toAct: t("table.toAct"), out: t("table.out") });
    await this.#next();
  }

  async #next() {
    const { part, set } = this;
    if (set.number >= set.all) return this.#finish();
    this.root.dataset.state = "making";
    part.choices.replaceChildren();
    part.verdict.hidden = true;
    part.question.textContent = t("train.making");
    await new Promise((resolve) => setTimeout(resolve));
    const found = await set.exercises.next();
    if (this.gone) return null;
    if (!found) return this.#finish();
    set.number += 1;
    this.found = found;
    const { session, position, seat, step } = found;
    part.count.textContent = [set.all < Infinity ? t("train.number", { n: set.number, all: set.all }) : "", t("train.who", { name: session.names[seat] })].filter(Boolean).join(" · ");
    part.question.textContent = session.question(position, seat);
    this.table.forget();
    this.table.scene = null;
    const scene = session.scene(position, seat);
    this.table.near = seat;
    this.table.draw(scene, scene); // nothing is new
    part.log.replaceChildren(...session.steps.slice(0, step + 1).flatMap((each) => session.lines(each, seat)).slice(-60).map(([text, major]) => make("li", { class: major ? "event major" : "event" }, text.replace(/^-+ | -+$/g, ""))));
    part.log.scrollTop = part.log.scrollHeight;
    const legal = position.legal();
    part.choices.replaceChildren(...legal.map((move, i) => make("button", { type: "button", class: "move", "data-move": move, "data-keys": `${i + 1}`, onclick: () => this.#answer(move) },
      make("span", {}, session.label(position, seat, move)), i < 9 ? make("kbd", { "aria-hidden": "true" }, `${i + 1}`) : null)));
    this.root.dataset.state = "asked";
    part.choices.firstChild.focus({ preventScroll: true });
    return null;
  }

  #answer(move) {
    const { part, set } = this;
    const { session, position, seat, said, step } = this.found;
    const label = (each) => session.label(position, seat, each);
    const cost = lost(said, move);
    const right = move === said.best || cost === 0;
    set.right += right;
    const entry = { lost: cost, unit: said.unit, percent: said.percent, right, kind: kindOf(session, position, said, move), question: session.question(position, seat), played: label(move), better: label(said.best) };
    set.entries.push(entry);
    keep(`train.${this.preset}`, [...this.#record, entry].slice(-MOST_KEPT));
    const verdict = right ? t("train.right") : t(isBlunder(said, move) ? "train.wrong" : "train.close", { lost: lostText(said, cost) });
    part.question.textContent = `${verdict}${right ? "" : ` ${t("train.best", { move: label(said.best) })}`}`;
    this.root.dataset.state = "answered";
    this.root.dataset.right = right;
    part.verdict.hidden = false;
    part.verdict.replaceChildren(...drawOpinion(said, label, move));
    const next = make("button", { type: "button", class: "main big", "data-keys": "Enter", onclick: () => this.#next() }, t("train.next"));
    part.choices.replaceChildren(next, make("a", { class: "button", href: `#/replay/${packGame(session, step + 1)}?step=${step}` }, t("replay.title")));
    next.focus({ preventScroll: true });
  }

  #finish() {
    const { part, set } = this;
    this.root.dataset.state = "finished";
    const given = sumText(set.entries);
    if (set.day) keep(`daily.${this.preset}`, { day: set.day, lost: given });
    part.count.textContent = "";
    part.verdict.hidden = true;
    part.question.textContent = t("train.finished", { right: set.right, all: set.number, lost: given });
    const back = make("button", { type: "button", class: "main big", "data-keys": "Enter", onclick: () => this.menu() }, t("train.record"));
    part.choices.replaceChildren(back);
    back.focus({ preventScroll: true });
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, summary")) return;
    if (event.key === "Enter" && event.target.closest?.("button, a")) return;
    const choice = this.part?.choices.querySelector(`[data-keys="${CSS.escape(event.key)}"]`);
    if (!choice) return;
    choice.click();
    event.preventDefault();
  }
}

/** Mistakes by their kind, the dearest first. */
function mistakes(record) {
  const kinds = new Map();
  for (const each of record) {
    if (each.right) continue;
    const key = kindText(each.kind);
    const known = kinds.get(key) ?? { ...each, count: 0, lost: 0 };
    kinds.set(key, { ...known, count: known.count + 1, lost: known.lost + each.lost });
  }
  return [...kinds.values()].sort((a, b) => b.lost - a.lost);
}

/** A kind of mistake in words. */
function explained({ kind, question, played, better }) {
  if (kind.best === null) return question;
  if (kind.risk === null) return t("train.kind", { question, played, better });
  const [low, high] = riskRange(kind.risk).map((risk) => share(risk, 0));
  return t("train.kind.risk", { question, played, better, low, high });
}

/** Means of the last decisions. */
function averages(record) {
  return record.map((_, i) => {
    const some = record.slice(Math.max(0, i - AVERAGE + 1), i + 1);
    return { games: i + 1, mean: some.reduce((sum, each) => sum + each.lost, 0) / some.length, low: null, high: null };
  });
}
