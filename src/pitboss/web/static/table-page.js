// A table to play at or to watch. The part of the address behind # is the token of a seat, or an invitation to one; it is
// remembered and taken out of the address, which then is a link to watch.
//
// The server sends steps (a scene and what happened); they are shown one after the other, and when all are shown, the
// person is asked. Several people at one screen hand it over: the table is covered in between.

import { Table } from "/shared/table.js";
import { call, copyable, get, make, parts, post, sentence, tidy } from "./api.js";
import { isNew, token } from "./arrival.js";
import { Asking, busyElsewhere } from "./asking.js";
import { Ending, headline } from "./ending.js";
import { drawHint, hintInSteps } from "./hint.js";
import { notice, noticeButton } from "./notice.js";
import { motion, pause } from "/shared/motion.js";
import { ClockFace, PeoplePanel } from "./people.js";
import { keepBeside, keepNewest } from "/shared/stage.js";
import { forgetSeat, keepSeat } from "./seats.js";
import { soundButton } from "/shared/sound.js";
import { Wire } from "./wire.js";

const root = document.querySelector("[data-table]");
const id = root.dataset.table;
const part = parts(document);
const button = Object.fromEntries([...document.querySelectorAll("[data-do]")].map((node) => [node.dataset.do, node]));
const api = (path = "") => `/api/tables/${id}${path}`;
const LOOK = 1500; // milliseconds for which those who only watch see the end of a round
const REFUSED = 4400; // the server's code for a seat that is not ours
const LOST = "The connection is lost. Trying again …";
const LATEST = 400; // steps of a long game that a page begins with
const ORIGIN = root.dataset.origin ?? location.origin; // for links that others open
const FIRST = 60; // steps that are shown one by one to somebody who arrives
const FAR_BEHIND = 8; // steps that wait, from which on nothing is looked at for long

class Page {
  constructor(token, arrived = false) {
    this.token = token;
    this.arrived = arrived; // for the first time: what was dealt so far is shown, too
    this.table = new Table(part.table);
    this.asking = new Asking(part, this.table, (move) => this.move(move));
    this.look = null; // the newest that the server said
    this.seat = null; // whose eyes we look with
    this.start = -1; // the step before the first that this page shows
    this.known = -1; // the newest step that has come
    this.queue = []; // steps to be shown
    this.shown = null; // the step on the table
    this.seen = new Map(); // seat: the last step it was shown, at a shared screen
    this.covered = false;
    this.busy = false;
    this.timer = null;
    this.noted = new Set(); // steps whose notes are in the log
    this.people = new PeoplePanel(part, { id, token, origin: ORIGIN, alone: Boolean(root.dataset.alone), react: (what) => this.wire?.send({ react: what }) });
    this.clock = new ClockFace(part.clock);
    this.ending = new Ending(part.ending, part.after, id, ORIGIN, (sameDeal) => this.again(sameDeal));
    keepBeside(part.hint, document.querySelector("aside"), part.stage);
    keepNewest(part.log);
  }

  // --- the wire ---

  connect() {
    this.wire = new Wire(id, {
      hello: () => ({ token: this.token, since: this.known, seat: this.seat }),
      hear: (look) => this.hear(look),
      lost: (yes) => (yes ? this.trouble(LOST) : part.trouble.textContent === LOST && this.trouble("")),
      refuse: (code, reason) => {
        if (code === REFUSED) forgetSeat(id);
        this.fail(reason);
      },
    });
  }

  trouble(text) {
    part.trouble.hidden = !text;
    part.trouble.textContent = text;
  }

  fail(reason, watch = false) {
    this.trouble("");
    root.dataset.state = "failed";
    part.brief.textContent = sentence(reason || "this table cannot be seen");
    part.brief.classList.add("failed");
    part.tools.hidden = true;
    part.brief.append(" ", ...(watch ? [make("a", { href: `/table/${id}` }, "Watch this table"), " · "] : []), make("a", { href: "/play" }, "Start a new game"));
  }

  hear(look) {
    if (look.more) return; // too much for one answer: the socket brings it
    if (this.look && `${this.look.names}` !== `${look.names}`) { // a guest has come, by a name of their own
      this.forget();
      this.look = { ...look, steps: [] };
      this.renamed = true;
      this.hush(); // nothing can be answered until the table is here again
      return void this.wire?.send({ seat: this.seat, since: this.start });
    }
    const first = this.look === null || this.renamed;
    this.renamed = false;
    const turned = !first && look.seat !== this.seat;
    if (turned) this.forget();
    this.look = look;
    this.seat = look.seat;
    this.ending.stood.push(...look.stood);
    root.classList.toggle("paced", this.#paced);
    this.people.show(look);
    this.clock.show(look);
    part.seeded.hidden = !look.seeded || look.seats.filter((seat) => seat.kind !== "bot").length < 2;
    const fresh = look.steps.filter((step) => step.number > this.known);
    this.known = Math.max(this.known, look.last);
    const seen = this.seen.get(this.seat) ?? -1;
    if (first && this.shared) this.cover(look.to_act);
    if (first && !(this.arrived && fresh.length <= FIRST && !this.shared)) this.settle(fresh);
    else if (turned) {
      this.settle(fresh.filter((step) => step.number <= seen));
      this.queue.push(...fresh.filter((step) => step.number > seen));
    } else this.queue.push(...fresh);
    this.run();
  }

  /** Several people with secrets at one screen. */
  get shared() {
    return this.look.secrets && this.look.mine.length > 1;
  }

  forget() {
    clearTimeout(this.timer);
    Object.assign(this, { known: this.start, queue: [], shown: null, timer: null });
    part.log.replaceChildren();
    this.noted.clear();
    this.table.forget();
    this.table.scene = null;
  }

  /** Take steps as seen: into the log, and the last of them onto the table. */
  settle(steps) {
    for (const step of steps) this.write(step);
    if (steps.length) this.draw(steps.at(-1), false);
  }

  // --- showing ---

  run() {
    if (this.timer || this.covered || this.busy || part.recap.open) return;
    const step = this.queue.shift();
    if (!step) return this.ask();
    this.hush();
    this.write(step);
    this.go(step);
  }

  /** Show a step, and after a while the next. */
  go(step) {
    this.draw(step, true);
    if (step.ends && this.look.mine.length) return this.recap(step); // its cards stay on the table meanwhile
    const wait = !step.ends ? (this.#paced ? 0 : Math.max(pause(), this.table.lively.left)) : this.queue.length > FAR_BEHIND ? 0 : this.look.pace ? 2500 / this.look.pace : LOOK;
    if (wait === 0) return this.run();
    this.timer = setTimeout(() => this.hurry(), wait);
  }

  /** The next step, although this one could be looked at for longer. */
  hurry() {
    clearTimeout(this.timer);
    this.timer = null;
    this.run();
  }

  get #paced() {
    return this.look.seats.every((seat) => seat.kind === "bot"); // the server keeps the pace
  }

  draw(step, lively) {
    this.table.bots = this.look.seats.map((seat) => seat.kind === "bot");
    this.table.near = (this.look.secrets ? this.seat : this.look.mine[0]) ?? null;
    if (step.scene) this.table.draw(step.scene, lively ? this.shown?.scene ?? null : step.scene, lively ? step.moments : []);
    else part.table.replaceChildren(make("p", { class: "face-down" }, `The ${this.look.deals[1]} lie face down. When the game is over, its replay shows them.`));
    this.shown = step;
    this.seen.set(this.seat, step.number);
    const said = step.events.at(-1)?.[0];
    if (said) this.say(tidy(said));
  }

  say(text) {
    part.brief.textContent = text;
  }

  write(step) {
    const log = part.log;
    const atEnd = log.scrollTop + log.clientHeight > log.scrollHeight - 60;
    const stood = this.noted.has(step.number) ? null : this.ending.stood.find((each) => each.step === step.number);
    this.noted.add(step.number);
    const lines = [...(stood ? [[this.standIn(stood), true]] : []), ...step.events];
    for (const [text, major] of lines) {
      log.append(make("li", { class: major ? "event major" : "event", "data-step": step.number }, tidy(text)));
    }
    if (atEnd) log.scrollTop = log.scrollHeight;
  }

  /** Why somebody else decided. */
  standIn({ seat, why }) {
    const { names, house, mine } = this.look;
    return why === "clock" ? `The time is up: ${house.by} decides for ${mine.includes(seat) && mine.length === 1 ? "you" : names[seat]}` : `${names[seat]} is not there: ${house.by} decides`;
  }

  /** Nothing is asked while the table moves. */
  hush() {
    root.dataset.state = "busy";
    document.title = `${this.look.title} · pitboss`;
    this.asking.clear();
    part.hint.hidden = true;
    button.hint.hidden = true;
    button.skip.hidden = this.#paced || this.queue.length < 2;
  }

  skip() {
    clearTimeout(this.timer);
    this.timer = null;
    const rest = this.queue.splice(0);
    this.settle(rest);
    this.run();
  }

  recap(step) {
    part["recap-title"].textContent = sentence(`${step.chapter} is over`).slice(0, -1);
    part["recap-events"].replaceChildren(...step.events.filter(([, major]) => major).map(([text]) => make("li", {}, text)));
    button.skip.hidden = true;
    root.dataset.state = "recap";
    part.recap.showModal();
  }

  // --- asking ---

  ask() {
    const { look } = this;
    this.hush();
    button.skip.hidden = true;
    this.showEnding();
    this.showPacing();
    root.dataset.state = look.ending ? "over" : look.question ? "asked" : "waiting";
    if (look.ending) {
      part.question.hidden = false;
      part.asks.textContent = headline(look);
      if (look.mine.length && !busyElsewhere()) part.asks.focus({ preventScroll: true }); // whoever uses the keyboard goes on from here
      return;
    }
    if (this.shared && look.mine.includes(look.to_act) && look.to_act !== this.seat) {
      const name = look.names[look.to_act];
      root.dataset.state = "handing";
      part.choices.replaceChildren(make("button", { type: "button", class: "main big", "data-keys": "Enter", onclick: () => this.cover(look.to_act) }, `Hand over to ${name}`));
      part.choices.firstChild.focus({ preventScroll: true });
      return;
    }
    if (!look.question) {
      if (!this.#paced && look.to_act >= 0) this.say(`${part.brief.textContent} · waiting for ${look.names[look.to_act]}`);
      return;
    }
    document.title = `● Your turn: ${look.question}`;
    if (!part.people.hidden) notice(`Your turn: ${look.question}`, id);
    this.asking.ask(look);
    button.hint.hidden = !look.hints;
  }

  async move(move) {
    if (this.busy || this.renamed) return;
    this.busy = true;
    const seat = this.look.secrets ? this.seat : this.look.to_act;
    this.hush();
    this.trouble("");
    try {
      const look = await post(api("/moves"), { seat, move, step: this.known }, { token: this.token });
      this.busy = false;
      this.hear(look);
    } catch (problem) {
      this.busy = false;
      this.run();
      this.trouble(sentence(problem.message));
      this.wire?.check(true);
    }
  }

  async hint() {
    if (!part.hint.hidden) return void (part.hint.hidden = true);
    const { last, to_act: seat } = this.look;
    let shown = false;
    try {
      await hintInSteps((more) => get(api("/hint"), { token: this.token, query: { seat, ...more } }), (hint) => {
        if (this.look.last !== last || (shown && part.hint.hidden)) return; // it came too late to be of use
        part.hint.replaceChildren(make("h2", {}, "Hint"), ...drawHint(hint));
        part.hint.hidden = false;
        shown = true;
      });
    } catch (problem) {
      if (this.look.last === last) this.trouble(sentence(problem.message));
    }
  }

  // --- one screen, several people ---

  cover(seat) {
    this.covered = true;
    this.next = this.look.mine.includes(seat) ? seat : this.look.mine[0];
    const name = this.look.names[this.next];
    part["cover-title"].textContent = `${name}, it is your turn`;
    part["cover-text"].textContent = "The others look away now.";
    button.uncover.textContent = `I am ${name}: show my ${this.look.deals[1]}`;
    part.choices.replaceChildren();
    root.dataset.state = "covered";
    root.classList.add("covered");
    if (!part.cover.open) part.cover.showModal();
  }

  uncover() {
    this.covered = false;
    root.classList.remove("covered");
    part.cover.close();
    if (this.next === this.seat) return this.run();
    this.hush();
    this.wire.send({ seat: this.next, since: this.start });
  }

  // --- around the game ---

  showEnding() {
    this.ending.show(this.look);
    if (!this.look.ending) return;
    if (this.token) keepSeat(id, this.token, { over: true });
  }

  async again(sameDeal) {
    try {
      const { next } = await post(api("/again"), { same_deal: sameDeal }, { token: this.token });
      location.assign(`/table/${next.table}#${next.token}`);
    } catch (problem) {
      this.trouble(sentence(problem.message));
    }
  }

  showPacing() {
    const { host, pace, ending } = this.look;
    part.pacing.hidden = !(this.#paced && host && !ending);
    button.pause.textContent = pace > 0 ? "Pause" : "Go on";
    button.step.disabled = pace > 0;
    if (pace > 0) part.pace.value = [...part.pace.options].map((o) => o.value).find((value) => Number(value) >= pace) ?? "20";
  }

  async setPace(pace) {
    await call("PUT", api("/pace"), { token: this.token, body: { pace } }).then((look) => this.hear(look)).catch((problem) => this.say(problem.message));
  }

  listen() {
    soundButton(button.sound);
    noticeButton(button.notice);
    part.table.addEventListener("settled", () => this.timer && this.hurry());
    button.hint.addEventListener("click", () => this.hint());
    button.skip.addEventListener("click", () => this.skip());
    button.uncover.addEventListener("click", () => this.uncover());
    button["go-on"].addEventListener("click", () => {
      root.dataset.state = "busy"; // the event "close" comes a little later
      part.recap.close();
    });
    button.pause.addEventListener("click", () => this.setPace(this.look.pace > 0 ? 0 : Number(part.pace.value)));
    button.step.addEventListener("click", () => post(api("/step"), undefined, { token: this.token }).then((look) => this.hear(look)));
    part.pace.addEventListener("change", () => this.look.pace > 0 && this.setPace(Number(part.pace.value)));
    part.recap.addEventListener("close", () => this.run());
    part.cover.addEventListener("cancel", (event) => event.preventDefault());
    part.motion.value = motion();
    part.motion.addEventListener("change", () => motion(part.motion.value));
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, summary, dialog")) return;
      if (event.key === "Enter" && event.target.closest?.("button, a")) return; // its own key
      if (this.asking.key(event.key)) return event.preventDefault();
      if (event.key === "?" && !button.hint.hidden) this.hint();
      else if (event.key === "Escape" && !button.skip.hidden) this.skip();
      else return;
      event.preventDefault();
    });
    addEventListener("hashchange", () => location.reload());
  }
}

async function showWords(spec) {
  const rules = await get("/api/rules", { query: { spec } });
  part["rules-of"].textContent = `${rules.title}: rules and keys`;
  part.spec.textContent = rules.spec;
  part.words.replaceChildren(...rules.words.map((line) => make("li", {}, line)));
}

let page = null;
try {
  const mine = await token(id, part);
  page = new Page(mine, isNew(id, mine));
  const look = await get(api(), { token: page.token, query: { since: 1000000 } });
  page.start = page.known = Math.max(-1, look.last - LATEST);
  if (page.start >= 0) part.log.append(make("li", { class: "event" }, `The first ${(page.start + 1).toLocaleString("en")} steps are left out here; the replay has all of them.`));
  if (page.token) keepSeat(id, page.token, { game: look.game, names: look.names, over: Boolean(look.ending) });
  part["watch-link"].append(...copyable(`${ORIGIN}${location.pathname}`, "Link to watch"));
  page.listen();
  page.connect();
  showWords(look.game);
} catch (problem) {
  if (problem.status === 403) forgetSeat(id);
  (page ?? new Page(null)).fail(problem.message, location.hash.startsWith("#join=") || problem.status === 403);
}
