// A person is asked: a question, and a button for every move, or cards and seats on the table to tap. Where moves are many,
// they are chosen word by word.

import { Table } from "/shared/table.js";
import { make, sentence } from "./api.js";
import { wordSteps } from "/shared/word-steps.js";

const FEW = 4; // cards to choose among up to which each has a button as well
const ELSEWHERE = "aside, .tools, .bar"; // who is there with the keyboard stays there
const ARROWS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Whether the keyboard is at something that does not go away. */
export const busyElsewhere = (more = "") => Boolean(document.activeElement?.closest(`${ELSEWHERE}${more}`));

export class Asking {
  /** `part` has a question, what it asks, and choices; `move(text)` makes a move. */
  constructor(part, table, move) {
    Object.assign(this, { part, table, move, look: null });
    part.table.addEventListener("keydown", (event) => this.#onCard(event));
    part.table.addEventListener("click", (event) => this.#touch(Table.touched(event)));
  }

  /** Nothing is asked. */
  clear() {
    this.look = null;
    this.part.question.hidden = true;
    this.part.choices.replaceChildren();
    this.table.pick([]);
  }

  /** Ask what a look at the table asks. */
  ask(look) {
    this.look = look;
    this.part.question.hidden = false;
    const picks = look.choices.map((choice) => choice.on);
    this.table.pick(picks.filter(Boolean));
    if (picks.length > FEW && picks.every((on) => on && on[1] !== null)) this.#pointOut();
    else this.#offer([]);
  }

  /** Choose by a key, if it stands for a move; whether it does. */
  key(key) {
    const [exact, small] = [key, key.toLowerCase()].map((text) => `[data-keys~="${CSS.escape(text)}"]`);
    const found = this.part.choices.querySelector(`${exact}, ${small}`);
    found?.click();
    return Boolean(found);
  }

  /** The moves are cards on the table, and too many for buttons unless somebody wants them. */
  #pointOut() {
    const { question, choices } = this.look;
    this.part.asks.textContent = `${question} Tap a card on the table.`;
    const list = make("button", { type: "button", class: "move", "data-keys": "l", onclick: () => this.#offer([], () => this.#pointOut()) },
      make("span", {}, `List all ${choices.length}`), make("kbd", { "aria-hidden": "true" }, "l"));
    this.part.choices.replaceChildren(list);
    this.table.focus();
  }

  /** Buttons for the moves; where there are many, for their next words after those that are chosen already. */
  #offer(words, back = null) {
    const { question, choices, names } = this.look;
    const { chosen, offers } = wordSteps(choices.map((choice) => ({ ...choice, words: (choice.words ?? choice.move).split(" ") })), words);
    this.part.asks.textContent = chosen.length ? `${question} ${sentence(chosen.join(" ")).slice(0, -1)} …` : question;
    const buttons = offers.map(({ text, move, keys, words: then }) => make("button",
      { type: "button", class: move === null ? "move word" : names.includes(text) ? "move name" : "move", "data-move": move, "data-word": then[chosen.length], "data-keys": keys.join(" "),
        onclick: () => (move === null ? this.#offer(then, () => this.#offer(words, back)) : this.move(move)) },
      make("span", {}, move === null ? `${text} …` : text), ...keys.slice(0, 1).map((key) => make("kbd", { "aria-hidden": "true" }, key))));
    if (back) buttons.push(make("button", { type: "button", "data-keys": "Escape", onclick: back }, "Back"));
    const held = !busyElsewhere(", .card.pick");
    this.part.choices.replaceChildren(...buttons);
    if (held) this.part.choices.firstChild?.focus({ preventScroll: true });
  }

  #onCard(event) {
    if (!event.target.matches?.(".card.pick")) return;
    const step = ARROWS[event.key];
    if (step) this.table.focus(step);
    else if (event.key === "Enter" || event.key === " ") event.target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #touch(touched) {
    const same = ({ on }) => on && on[0] === touched?.[0] && (on[1] === null || on[1] === touched[1]);
    const choice = this.look?.choices.find(same);
    if (choice) this.move(choice.move);
  }
}
