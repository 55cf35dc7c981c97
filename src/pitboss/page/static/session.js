// A game in progress, as people look at it: who sits where, all cards and moves so far, and the steps to show.
//
// A step is what one card or move changed: {by, move, before, after, events, ends}. Scenes and texts are made for the
// eyes of a seat when a step is shown, so no secret is ever written down.

import { DEALER } from "./engine.js";
import { speakerOf } from "./games.js";

const HEADING = /^-+ /; // with which the line begins that opens a round
export const ALL = null; // the eyes of everybody: for games that are over, or have no secrets

export class Session {
  /** A new game; with totals, they are what everybody begins with. */
  constructor(game, { preset, names, key = null, deal = 0, totals = [] }) {
    Object.assign(this, { game, preset, names, key, deal, totals });
    this.position = game.start(preset, names.length, { key, deal });
    if (totals.some(Boolean)) this.position.load(withTotals(game, this.position.state(), totals));
    this.start = this.position.copy();
    this.steps = [{ by: null, move: null, after: this.start, events: this.position.first, ends: null }];
  }

  get say() {
    return speakerOf(this.game, this.preset);
  }

  get secrets() {
    return this.game.description.secrets;
  }

  /** All cards and moves, in order. */
  get moves() {
    return this.steps.slice(1).map((step) => step.move);
  }

  /** Make a move, or deal a card; returns the step. */
  apply(move) {
    const before = this.position.copy();
    const ends = before.endOfRound(move);
    const events = this.position.apply(move);
    const step = { by: before.toAct, move, before, after: this.position.copy(), events, ends: this.position.over ? null : ends };
    this.steps.push(step);
    return step;
  }

  /** Deal the card that is due. */
  dealCard() {
    return this.apply(this.position.dealCard());
  }

  get dealing() {
    return this.position.toAct === DEALER;
  }

  // --- what is seen and said ---

  view(position, seat) {
    return this.game.read(position.view(seat ?? 0), "view");
  }

  /** The table for the eyes of a seat; for those of everybody, each seat as it sees itself. */
  scene(position, seat) {
    if (seat !== ALL || !this.secrets) return this.say.scene(this.view(position, seat ?? 0), this.names, seat);
    return together(this.names.map((_, each) => this.say.scene(this.view(position, each), this.names, each)));
  }

  /** The frames of a step: one, or two where a round ended. Each has a scene, lines [text, major] and moments. */
  frames(step, seat) {
    const lines = this.lines(step, seat);
    const moments = (from, to) => this.say.moments(step.events.slice(from, to), seat);
    if (!step.ends) return [{ scene: this.scene(step.after, seat), lines, moments: moments(0), ends: false }];
    const found = lines.findIndex(([text]) => HEADING.test(text));
    const first = found < 0 ? lines.length : found;
    return [{ scene: this.scene(step.ends, seat), lines: lines.slice(0, first), moments: moments(0, first), ends: true },
      { scene: this.scene(step.after, seat), lines: lines.slice(first), moments: moments(first), ends: false }];
  }

  lines(step, seat) {
    return step.events.map((event) => [this.say.event(event, this.names, seat), this.say.isMajor(event)]);
  }

  question(position, seat) {
    return this.say.question(this.view(position, seat), this.names, seat);
  }

  /** What a move means, without the sign that it is typed by in a terminal: `ev`, not `@1 ev`. */
  label(position, seat, move) {
    const text = this.say.move(this.view(position, seat), move, this.names, seat), sign = `${this.written(move, false)} `;
    return text.startsWith(sign) ? text.slice(sign.length) : text;
  }

  /** Whether an opinion is worked out at once; else it is tried in games, which takes a while. */
  get quick() {
    return Boolean(this.game.preset(this.preset).opinion.function);
  }

  /** What somebody who knows says of a decision; null where nobody can say. */
  opinion(position, seat) {
    return this.game.opinion(position, seat);
  }

  /** The one move after which a card falls for who is asked; null if there is none, or several. */
  drawing(position) {
    const seat = position.toAct;
    if (seat < 0) return null;
    const draws = position.legal().filter((move) => {
      const after = position.copy();
      after.apply(move);
      return after.toAct === DEALER && (this.taker(after) ?? seat) === seat;
    });
    return draws.length === 1 ? draws[0] : null;
  }

  /** Who gets the card that falls next, where the state says so. */
  taker(position) {
    return this.game.read(position.state(), "state").taker ?? null;
  }

  /** The cards that may fall next: how many are left, how likely each is, and whether who gets it is out then. */
  coming(position) {
    if (position.toAct !== DEALER) return [];
    const { left = [], taker = null } = this.game.read(position.state(), "state");
    const all = left.reduce((sum, n) => sum + n, 0);
    return position.legal().map((card) => {
      const after = position.endOfRound(card) ?? position.copy();
      if (!after.over) after.apply(card);
      const out = taker !== null && !this.secrets && this.scene(after, taker).seats[taker].out && !this.scene(position, taker).seats[taker].out;
      return { card, left: left[card] ?? null, chance: all ? left[card] / all : null, out };
    });
  }

  /** How likely the next card puts who is asked out of the round; null where nothing of the kind can happen. */
  risk(position) {
    const move = this.secrets ? null : this.drawing(position);
    if (move === null) return null;
    const after = position.copy();
    after.apply(move);
    return this.coming(after).reduce((sum, each) => sum + (each.out ? each.chance : 0), 0);
  }

  /** How records write a move. */
  written(move, dealing) {
    const { cards, moves } = this.game.description.words.notation;
    return (dealing ? cards : moves)[move];
  }
}

/** A state with totals, where the game has them: a field `total` with a number for each seat. */
function withTotals(game, bytes, totals) {
  const field = game.description.layouts.state.fields.total;
  if (!field) return bytes;
  const data = new DataView(bytes.buffer, bytes.byteOffset);
  const [size, write] = { b: [1, "setInt8"], h: [2, "setInt16"], i: [4, "setInt32"] }[field[1]];
  totals.forEach((total, seat) => data[write](field[0] + seat * size, total, true));
  return bytes;
}

export const hasTotals = (game) => Boolean(game.description.layouts.state.fields.total);

/** Every seat as it sees itself, with the cards that somebody else has seen turned up. */
function together(eyes) {
  const known = (faces) => faces.find((face) => face && face.kind !== "hidden") ?? faces[0];
  const seats = eyes.map((eye, i) => ({
    ...eye.seats[i],
    rows: eye.seats[i].rows.map((row, r) => row.map((face, c) => known([face, ...eyes.map((other) => other.seats[i].rows[r]?.[c])]))),
  }));
  return { ...eyes[0], seats };
}
