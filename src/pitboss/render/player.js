// A recorded game to step through: a table, a log and the controls for both.
//
//   const player = new Player(root, new Table(element), unpack(data));
//   player.go(17);
//
// `root` holds the parts, marked data-part="log" and so on, and the buttons, marked data-do="next".
// The current step is in the address, so that a link leads to it: by default as its hash, `HASH`. A page that
// wants to know about every step listens to the event "step" of `root`.

import { make, tidy } from "./dom.js";
import { soundButton } from "./sound.js";

const SPEEDS = [0.5, 1, 2, 4, 8, 16]; // steps a second
const LOOK_AROUND = 2.5; // how many times longer the end of a round stays before the next step

/** Reads and writes the step in an address. */
export const HASH = {
  read: () => (/^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : null),
  write: (step) => `#${step}`,
};

/** A packed replay with every scene, seat and face in its place; equal ones are one object. */
export function unpack(data) {
  const row = (faces) => faces.map((i) => data.faces[i]);
  const seats = data.seats.map((seat) => ({ ...seat, rows: seat.rows.map(row) }));
  const scenes = data.scenes.map((scene) => ({
    ...scene,
    seats: scene.seats.map((i) => seats[i]),
    centre: scene.centre.map(([name, faces]) => [name, row(faces)]),
  }));
  const steps = data.steps.map((step) => ({
    ...step,
    scenes: step.scenes.map((i) => scenes[i]),
    events: step.events.map((i) => data.events[i]),
  }));
  return { ...data, faces: undefined, seats: undefined, scenes, steps };
}

export class Player {
  constructor(root, table, replay, address = HASH) {
    this.root = root;
    this.table = table;
    this.replay = replay;
    this.address = address;
    this.last = replay.steps.length - 1;
    this.view = 0;
    this.step = 0;
    this.timer = null;
    this.hashTimer = null;
    this.part = Object.fromEntries([...root.querySelectorAll("[data-part]")].map((node) => [node.dataset.part, node]));
    for (const scene of replay.scenes) table.reserve(scene);
    this.#fill();
    this.#listen();
    this.#writeLog();
    this.go(this.address.read() ?? 0);
  }

  get playing() {
    return this.timer !== null;
  }

  /** Show the game after this many cards and moves. */
  go(step) {
    const { replay, part, view } = this;
    this.step = Math.max(0, Math.min(Math.round(step) || 0, this.last));
    const now = replay.steps[this.step];
    this.table.near = replay.views[view].seat;
    this.table.draw(now.scenes[view], replay.steps[this.step - 1]?.scenes[view] ?? null, (now.moments ?? [])[view]);
    part.slider.value = this.step;
    part.slider.setAttribute("aria-valuetext", `step ${this.step} of ${this.last}`);
    part.count.textContent = `${this.step} / ${this.last}`;
    part.chapter.value = this.chapter;
    part.ending.hidden = this.step !== this.last;
    this.#tell(now);
    this.#mark();
    this.#writeHash();
    if (this.step === this.last) this.pause();
    this.root.dispatchEvent(new CustomEvent("step", { detail: this.step }));
  }

  /** The number of the chapter (a round, a turn) that the current step is in. */
  get chapter() {
    return this.replay.chapters.findLastIndex((chapter) => chapter.step <= this.step);
  }

  /** Go to the beginning of a chapter; one before the first or after the last changes nothing. */
  goToChapter(number) {
    const chapter = this.replay.chapters[number];
    if (chapter) this.go(chapter.step);
  }

  /** Back to the beginning of this chapter, or, from there, of the one before. */
  chapterBack() {
    const begin = this.replay.chapters[this.chapter].step;
    this.goToChapter(this.step > begin ? this.chapter : this.chapter - 1);
  }

  play() {
    if (this.step === this.last) this.go(0);
    this.#schedule();
    this.#showPlaying();
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.#showPlaying();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Faster (1) or slower (-1). */
  changeSpeed(by) {
    const { speed } = this.part;
    speed.selectedIndex = Math.max(0, Math.min(speed.selectedIndex + by, SPEEDS.length - 1));
    this.#showPlaying();
    if (this.playing) this.#schedule();
  }

  /** Look with other eyes. */
  look(view) {
    this.view = view;
    this.#writeLog();
    this.go(this.step);
  }

  // --- inside ---

  #schedule() {
    clearTimeout(this.timer);
    const { steps, chapters } = this.replay;
    const ends = steps[this.step].ends || (this.step > 0 && !steps[this.step - 1].ends && chapters.some((chapter) => chapter.step === this.step));
    const speed = Number(this.part.speed.value);
    this.timer = setTimeout(() => {
      this.go(this.step + 1);
      if (this.playing) this.#schedule();
    }, (1000 / speed) * (ends && chapters.length * 3 < this.last ? LOOK_AROUND : 1));
  }

  #showPlaying() {
    const button = this.root.querySelector("[data-do=play]");
    button.classList.toggle("playing", this.playing);
    button.querySelector("span").textContent = this.playing ? "Pause" : "Play";
    const flood = this.playing && Number(this.part.speed.value) > 1; // nobody can listen that fast
    this.part.live.setAttribute("aria-live", flood ? "off" : "polite");
  }

  #fill() {
    const { part, replay } = this;
    part.slider.max = this.last;
    part.speed.append(...SPEEDS.map((s) => make("option", { value: s }, `${s} / s`)));
    part.speed.value = 2;
    part.chapter.append(...replay.chapters.map((chapter, i) => make("option", { value: i }, chapter.name)));
    part.chapters.hidden = replay.chapters.length < 2;
    part.eyes.append(...replay.views.map((view, i) => make("option", { value: i }, view.label)));
    part.views.hidden = replay.views.length < 2;
    for (const chapter of replay.chapters.slice(1)) this.mark(chapter.step, "chapter", chapter.name);
    replay.steps.forEach((step, n) => step.fault && this.mark(n, "fault", `fault: ${step.fault}`));
  }

  /** Put a mark above the slider. */
  mark(step, kind, title) {
    const mark = make("i", { class: kind, title });
    mark.style.left = `${(100 * step) / Math.max(1, this.last)}%`;
    this.part.marks.append(mark);
  }

  /** Take all marks of a kind away. */
  unmark(kind) {
    for (const mark of this.part.marks.querySelectorAll(`.${kind}`)) mark.remove();
  }

  #listen() {
    const { part, root } = this;
    const deeds = {
      first: () => this.go(0),
      back: () => this.go(this.step - 1),
      play: () => this.toggle(),
      next: () => this.go(this.step + 1),
      last: () => this.go(this.last),
      "chapter-back": () => this.chapterBack(),
      "chapter-next": () => this.goToChapter(this.chapter + 1),
    };
    soundButton(root.querySelector("[data-do=sound]"));
    const stops = new Set(["first", "back", "next", "last", "chapter-back", "chapter-next"]);
    const act = (name) => {
      if (stops.has(name)) this.pause();
      deeds[name]();
    };
    for (const button of root.querySelectorAll("button[data-do]")) {
      if (deeds[button.dataset.do]) button.addEventListener("click", () => act(button.dataset.do));
    }
    part.slider.addEventListener("input", () => {
      this.pause();
      this.go(Number(part.slider.value));
    });
    part.speed.addEventListener("change", () => this.changeSpeed(0));
    part.chapter.addEventListener("change", () => this.goToChapter(Number(part.chapter.value)));
    part.eyes.addEventListener("change", () => this.look(Number(part.eyes.value)));
    part.major.addEventListener("change", () => {
      part.log.classList.toggle("major-only", part.major.checked);
      this.#mark();
    });
    part.log.addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!link) return;
      event.preventDefault();
      this.pause();
      this.go(Number(link.dataset.step));
    });
    addEventListener("hashchange", () => {
      const step = this.address.read();
      if (step !== null && step !== this.step) {
        this.pause();
        this.go(step);
      }
    });
    const keys = {
      " ": "play", ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", r: "chapter-next", R: "chapter-back",
    };
    addEventListener("keydown", (event) => {
      const inside = (what) => event.target.closest?.(what);
      if (event.ctrlKey || event.metaKey || event.altKey || inside("select, textarea, summary")) return;
      if (event.key === " " && inside("button, input[type=checkbox]")) return; // their own key
      if (event.key === "+" || event.key === "=") this.changeSpeed(1);
      else if (event.key === "-") this.changeSpeed(-1);
      else if (keys[event.key]) act(keys[event.key]);
      else return;
      event.preventDefault();
    });
  }

  /** Soon, but not for every step of a fast run: browsers refuse an address that changes too often. */
  #writeHash() {
    this.hashTimer ??= setTimeout(() => {
      this.hashTimer = null;
      if (this.address.read() !== this.step) history.replaceState(null, "", this.address.write(this.step));
    }, 250);
  }

  #name(step) {
    const view = this.replay.views[this.view];
    const open = view.seat === null || view.seat === step.by; // what others did is told by events only
    if (step.by === null) return step.move === "start" ? "The game begins" : open ? `The dealer: ${step.move}` : "The dealer";
    return open ? `${this.replay.names[step.by]}: ${step.means ?? step.move}` : this.replay.names[step.by];
  }

  #tell(step) {
    const { part } = this;
    part.who.textContent = this.#name(step);
    part.live.replaceChildren(
      ...step.events[this.view].map(([text, major]) => make("p", { class: major ? "event major" : "event" }, tidy(text))),
    );
    part.brief.textContent = tidy(step.events[this.view].at(-1)?.[0] ?? part.who.textContent);
    part.fault.hidden = !step.fault;
    part.why.textContent = step.fault ?? "";
    part.output.hidden = !step.output;
    part.said.textContent = step.output ?? "";
  }

  #writeLog() {
    const { part, replay, view } = this;
    const lines = [];
    this.lines = []; // [step, line], in order
    replay.steps.forEach((step, n) => {
      const chapter = replay.chapters.find((c) => c.step === n);
      const begins = n === 0 || replay.steps[n - 1].ends; // else the step still tells of the chapter before
      if (chapter && replay.chapters.length > 1 && begins) lines.push(heading(chapter));
      const events = step.events[view];
      if (events.length || step.fault || step.output) {
        const texts = events.map(([text, major]) => make("span", { class: major ? "event major" : "event" }, tidy(text)));
        if (step.fault) texts.push(make("span", { class: "event fault" }, `Fault: ${step.fault}`));
        if (step.output) texts.push(make("span", { class: "event output" }, "wrote some output"));
        const major = step.fault || events.some(([, isMajor]) => isMajor);
        const link = make("a", { href: `#${n}`, "data-step": n, tabindex: -1 }, make("span", { class: "n" }, `${n}`), ...texts);
        const line = make("li", { class: major ? "" : "minor" }, link);
        this.lines.push([n, line]);
        lines.push(line);
      }
      if (chapter && !begins) lines.push(heading(chapter));
    });
    part.log.replaceChildren(...lines);
    this.marked = null;
  }

  /** Mark the log's current line, and keep it in sight without moving the page. */
  #mark() {
    if (this.marked) {
      this.marked.classList.remove("current");
      this.marked.firstChild.removeAttribute("aria-current");
      this.marked.firstChild.tabIndex = -1;
    }
    const minorToo = !this.part.major.checked;
    const found = this.lines.findLast(([n, line]) => n <= this.step && (minorToo || !line.classList.contains("minor")));
    this.marked = found?.[1] ?? null;
    if (!this.marked) return;
    this.marked.classList.add("current");
    this.marked.firstChild.setAttribute("aria-current", "step");
    this.marked.firstChild.tabIndex = 0;
    const box = this.part.log;
    const [top, bottom] = [this.marked.offsetTop, this.marked.offsetTop + this.marked.offsetHeight];
    if (top < box.scrollTop + 40 || bottom > box.scrollTop + box.clientHeight - 40) {
      box.scrollTop = top - box.clientHeight / 2;
    }
  }
}

const heading = (chapter) => make("li", { class: "chapter" }, chapter.name);
