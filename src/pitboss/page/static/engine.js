// A game's WebAssembly module, as a page, a worker or node uses it. It knows no rules: those are in the module, and where
// things lie in its records is in the description that comes with it.

import { outlook, rollouts } from "./rollouts.js";

export const DEALER = -1, OVER = -2;

const CHUNK = 2000; // games that are played before their rows are copied
const PAGE = 65536;
const MOVE = 0, VALUE = 1, WIN = 2, LOW = 3, HIGH = 4, TRIED = 5, SAID_COLUMNS = 6; // of an opinion's lines
const SIZES = { b: 1, B: 1, h: 2, i: 4, q: 8, Q: 8, d: 8 };
const READ = {
  b: (data, at) => data.getInt8(at),
  B: (data, at) => data.getUint8(at),
  h: (data, at) => data.getInt16(at, true),
  i: (data, at) => data.getInt32(at, true),
  q: (data, at) => Number(data.getBigInt64(at, true)),
  Q: (data, at) => data.getBigUint64(at, true),
  d: (data, at) => data.getFloat64(at, true),
};

// Opens a game: data has its description, and its module as bytes or in base64. `most` bytes of memory may be used.
export async function openGame(data, { most = data.description.memory.most } = {}) {
  const { description } = data;
  const bytes = typeof data.wasm === "string" ? fromBase64(data.wasm) : data.wasm;
  let memory;
  try {
    memory = new WebAssembly.Memory({ initial: description.memory.least / PAGE, maximum: most / PAGE });
  } catch {
    throw new Error(`there is no memory left for ${description.name}: it needs up to ${megabytes(most)}; close other pages`);
  }
  const { instance } = await WebAssembly.instantiate(bytes, { env: { memory } });
  return new OpenGame(description, instance.exports, memory, most);
}

class OpenGame {
  constructor(description, exports, memory, most) {
    this.description = description;
    this.name = description.name;
    this._x = exports;
    this._memory = memory;
    this._most = most;
    this._stack = exports.__stack_pointer.value;
    this._presets = new Map(description.presets.map((preset) => [preset.text, preset]));
    this._begin();
  }

  // Nothing of the module's memory is in use: take what is needed all the time.
  _begin() {
    this._taken = new Set();
    this._rules = new Map();
    this._seated = new Map();
    this._tables ??= new Map();
    const { mostEvents, moves, secrets, layouts: { state, view, seating } } = this.description;
    this._state = this.take(state.size);
    this._view = secrets ? this.take(view.size) : this._state;
    this._events = this.take(16 * (mostEvents + 1));
    this._words = this.take(8 * Math.ceil(moves / 64));
    this._key = this.take(24);
    this._numbers = this.take(48);
    this._seating = this.take(seating.size * 62);
  }

  // --- positions ---

  preset(text) {
    const preset = this._presets.get(text);
    if (!preset) throw new Error(`there is no table ${text} in ${this.name}; there are ${[...this._presets.keys()].join(", ")}`);
    return preset;
  }

  // A new game, up to its first card or decision. A position without a key has its cards dealt by whoever asks.
  start(text, seats, { key = null, deal = 0, rotation = 0 } = {}) {
    const preset = this.preset(text), [least, most] = preset.seats;
    if (!(seats >= least && seats <= most)) throw new Error(`${text} is for ${least} to ${most} seats, not ${seats}`);
    this._bytes(this._state, this.description.layouts.state.size).fill(0);
    const first = this._eventsOf((events) => this._call("start", this._state, this.rules(text), seats, events));
    const state = this._bytes(this._state, this.description.layouts.state.size).slice();
    return new Position(this, text, state, { key, deal, rotation, first });
  }

  // A record as numbers and nested arrays: which is "state", "view" or "rules".
  read(bytes, which = "view") {
    const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), out = {};
    for (const [name, [offset, kind, shape]] of Object.entries(this.description.layouts[which].fields)) {
      out[name] = readField(data, offset, kind, shape);
    }
    return out;
  }

  // The rules of a table, as `read` gives a record.
  readRules(text) {
    return this.read(fromBase64(this.preset(text).rules), "rules");
  }

  // --- bots ---

  // The bots that can sit at a table.
  bots(text) {
    return this.preset(text).bots;
  }

  // The numbers that a bot at a table is made of: its place among functions, and its parameters.
  entrant(text, name) {
    const preset = this.preset(text), [head, rule] = name.split("+");
    const bot = preset.bots.find((each) => each.name === head || numberIn(each, head) !== null);
    if (!bot) {
      const why = preset.refused.find((each) => head === each.name || head.startsWith(`${each.name}-`))?.why;
      throw new Error(why ?? `there is no bot ${name} at ${text}; there are ${preset.bots.map((each) => each.usage).join(", ")}`);
    }
    const params = Float64Array.from([...bot.params, ...this._table(bot.table)]);
    const number = bot.name === head ? null : numberIn(bot, head);
    if (number !== null) params[bot.number.place] = scaled(number, bot.number.scale);
    if (rule !== undefined) {
      if (!bot.joints || !(rule in bot.joints.values)) {
        throw new Error(`${rule} cannot be joined to ${head}; there are ${Object.keys(bot.joints?.values ?? {}).join(", ")}`);
      }
      params[bot.joints.place] = bot.joints.values[rule];
    }
    return { name, place: this._x[bot.function](), params, trusted: bot.trusted };
  }

  // The 64 bits that a bot gets at its n-th decision of a game, counted from 1.
  luck(key, deal, rotation, seat, decision) {
    return BigInt.asUintN(64, this._call("luck", this._writeKey(key), BigInt(deal), rotation, seat, decision));
  }

  // --- what moves are worth ---

  // What the moves of the seat to act are worth, as the game's own analysis says, or else rollouts; null if nothing can
  // be said. A move has a value, and where they are known a chance to win, an interval and how often it was tried.
  opinion(position, seat = position.toAct) {
    const { opinion } = this.preset(position.preset);
    if (position.toAct < 0 || position.toAct !== seat) return null;
    if (!opinion.function) return opinion.policy ? rollouts(this, position, seat, opinion.policy) : null;
    const view = position.view(seat), lines = this.take(8 * SAID_COLUMNS * (this.description.moves + 1));
    const [params, size] = this._opinionParams(position.preset, opinion);
    try {
      this._bytes(lines, 8 * SAID_COLUMNS).fill(0);
      this._bytes(this._view, view.length).set(view);
      const luck = BigInt(checksum(view));
      const kind = this._call(opinion.function, this._view, this.rules(position.preset), seat, params, size, luck, lines);
      if (kind < 0) return null;
      const numbers = new Float64Array(this._memory.buffer.slice(lines, lines + 8 * SAID_COLUMNS * (this.description.moves + 1)));
      return rated(opinion.kinds[kind], Array.from({ length: numbers[0] }, (_, n) => lineOf(numbers.subarray(SAID_COLUMNS * (n + 1)))));
    } finally {
      this.give(lines);
    }
  }

  // Everybody's chances to win after a move or a card, by games played on from there.
  outlook(position, move) {
    return outlook(this, position, move, this.preset(position.preset).opinion.playOn);
  }

  // Makes a move in a copy of a position and lets one bot play on in all seats: a row for each seat.
  finish(position, move, name, key, deal) {
    const seats = position.seats, width = this.description.columns.length, rows = this.take(8 * seats * width);
    this._seat(position.preset, Array(seats).fill(name));
    try {
      const at = this._writeKey(key);
      this._call("finish", position._write(), this._view, this.rules(position.preset), move, this._seating, rows, at, BigInt(deal));
      return Array.from(new Float64Array(this._memory.buffer, rows, seats * width));
    } finally {
      this.give(rows);
    }
  }

  _opinionParams(text, { params, table }) {
    const known = `opinion ${text}`;
    if (!this._seated.has(known)) {
      const all = Float64Array.from([...params, ...this._table(table)]);
      this._seated.set(known, [this._keep(new Uint8Array(all.buffer)), all.length]);
    }
    return this._seated.get(known);
  }

  // --- many games ---

  // Plays blocks: deals first, first + 1, …, each once for every rotation of the bots over the seats. The rows of all
  // games, [block][rotation][seat][column]; `counts` of them has the decisions, cards and games cut.
  simulate(text, names, { key, first = 0, blocks, rotations = names.length }) {
    const seats = names.length, width = this.description.columns.length, row = rotations * seats * width;
    const [least, most] = this.preset(text).seats;
    if (!(seats >= least && seats <= most)) throw new Error(`${text} is for ${least} to ${most} seats, not ${seats}`);
    const rows = new Float64Array(blocks * row), counts = { decisions: 0, cards: 0, cut: 0 };
    const rules = this.rules(text), step = Math.max(1, Math.floor(CHUNK / rotations));
    this._seat(text, names);
    const out = this.take(8 * Math.min(step, blocks) * row);
    try {
      for (let done = 0; done < blocks; done += step) {
        const now = Math.min(step, blocks - done), at = this._writeKey(key);
        this._bytes(out, 8 * now * row).fill(0);
        const numbers = this._data();
        [first + done, now, rotations].forEach((n, i) => numbers.setBigInt64(this._numbers + 8 * i, BigInt(n), true));
        const culprit = this._call("play", this._state, this._view, rules, this._seating, seats, at, this._numbers, out, this._numbers + 24);
        if (culprit >= 0) throw new Error(`the bot ${names[culprit]} made an illegal move`);
        rows.set(new Float64Array(this._memory.buffer, out, now * row), done * row);
        ["decisions", "cards", "cut"].forEach((name, i) => { counts[name] += READ.q(this._data(), this._numbers + 24 + 8 * i); });
      }
    } finally {
      this.give(out);
    }
    return Object.assign(rows, { counts });
  }

  // --- the module ---

  // Room for so many bytes, until it is given back.
  take(bytes) {
    const at = this._x.take(bytes) >>> 0;
    if (at === 0) throw new Error(this._noMemory());
    this._taken.add(at);
    return at;
  }

  give(at) {
    if (this._taken.delete(at)) this._x.give(at); // else it was taken before a call was broken off
  }

  rules(text) {
    if (!this._rules.has(text)) this._rules.set(text, this._keep(fromBase64(this.preset(text).rules)));
    return this._rules.get(text);
  }

  _keep(bytes) {
    const at = this.take(bytes.length);
    this._bytes(at, bytes.length).set(bytes);
    return at;
  }

  _table(n) {
    if (n < 0) return [];
    if (!this._tables.has(n)) this._tables.set(n, numbersOf(fromBase64(this.description.tables[n])));
    return this._tables.get(n);
  }

  // Write who sits where.
  _seat(text, names) {
    names.forEach((name, i) => {
      const known = `${text} ${name}`;
      if (!this._seated.has(known)) {
        const { place, params, trusted } = this.entrant(text, name);
        this._seated.set(known, [place, this._keep(new Uint8Array(params.buffer)), params.length, trusted]);
      }
      const data = this._data(), at = this._seating + i * this.description.layouts.seating.size;
      this._seated.get(known).forEach((n, j) => data.setBigInt64(at + 8 * j, BigInt(n), true));
    });
  }

  _writeKey(words) {
    const data = this._data();
    words.forEach((word, i) => data.setBigUint64(this._key + 8 * i, word, true));
    return this._key;
  }

  _eventsOf(act) {
    const { mostEvents } = this.description;
    this._data().setInt32(this._events, 0, true);
    act(this._events);
    const data = this._data(), count = data.getInt32(this._events, true), out = [];
    if (count > mostEvents) throw new Error(`one move caused ${count} events, but most_events of ${this.name} is ${mostEvents}`);
    for (let n = 1; n <= count; n++) {
      out.push([0, 4, 8, 12].map((offset) => data.getInt32(this._events + 16 * n + offset, true)));
    }
    return out;
  }

  _call(name, ...args) {
    try {
      return this._x[name](...args);
    } catch (problem) {
      if (!(problem instanceof WebAssembly.RuntimeError)) throw problem;
      const why = this._full() ? this._noMemory() : `${this.name} stopped with an error in ${name}: ${problem.message}`;
      this._x.__stack_pointer.value = this._stack;
      this._x.forget();
      this._begin();
      throw new Error(why);
    }
  }

  _full() {
    return this._memory.buffer.byteLength > this._most / 2;
  }

  _noMemory() {
    return `${this.name} needs more than the ${megabytes(this._most)} of memory that it may have here`;
  }

  _bytes(at, length) {
    return new Uint8Array(this._memory.buffer, at, length); // never kept: memory that grows is another buffer
  }

  _data() {
    return new DataView(this._memory.buffer);
  }
}

// A game in progress. It checks moves, so that nothing illegal reaches the rules.
class Position {
  constructor(game, preset, bytes, { key, deal, rotation, first = [], decisions = [] }) {
    this.game = game;
    this.preset = preset;
    this.key = key;
    this.deal = deal;
    this.rotation = rotation;
    this.first = first; // what the start of the game caused
    this._bytes = bytes;
    this._decisions = [...decisions]; // how many each seat has made
  }

  get toAct() { return this._field("to_act"); }
  get seats() { return this._field("seats"); }
  get over() { return this.toAct === OVER; }
  get decision() { return this._field("decision"); }

  legal() {
    const { game } = this, { moves } = game.description;
    game._call("legal", this._write(), game.rules(this.preset), game._words);
    const data = game._data(), out = [];
    for (let move = 0; move < moves; move++) {
      if ((data.getUint8(game._words + (move >> 3)) >> (move & 7)) & 1) out.push(move);
    }
    return out;
  }

  isLegal(move) {
    return Number.isInteger(move) && this.game._call("is_legal", this._write(), this.game.rules(this.preset), move) === 1;
  }

  // Makes a move, or deals a card; what it caused, as [kind, seat, a, b].
  apply(move) {
    const { game } = this, seat = this.toAct;
    if (this.over) throw new Error("the game is over");
    if (!this.isLegal(move)) throw new Error(`${move} is not legal now; legal: ${this.legal().join(", ")}`);
    const events = game._eventsOf((at) => game._call("apply", this._write(), game.rules(this.preset), move, at));
    this._bytes = game._bytes(game._state, this._bytes.length).slice();
    if (seat >= 0) this._decisions[seat] = (this._decisions[seat] ?? 0) + 1;
    return events;
  }

  // The card that the key deals next; it is not applied.
  dealCard(key = this.key, deal = this.deal) {
    const at = this.game._writeKey(key);
    return this.game._call("card", this._write(), at, BigInt(deal));
  }

  // What a seat may know, as bytes.
  view(seat) {
    const { game } = this, { secrets, layouts } = game.description;
    if (!secrets) return this._bytes.slice();
    this._look(seat);
    return game._bytes(game._view, layouts.view.size).slice();
  }

  state() {
    return this._bytes.slice();
  }

  load(bytes) {
    if (bytes.length !== this._bytes.length) throw new Error(`a state of ${this.game.name} has ${this._bytes.length} bytes, not ${bytes.length}`);
    this._bytes = Uint8Array.from(bytes);
    return this;
  }

  copy() {
    const { key, deal, rotation, first } = this;
    return new Position(this.game, this.preset, this._bytes.slice(), { key, deal, rotation, first, decisions: this._decisions });
  }

  // The move of a bot at a seat. Its luck is 64 bits; by default those that it gets in a game of this key.
  ask(name, seat = this.toAct, luck = this.luckOf(seat)) {
    const { game } = this;
    game._seat(this.preset, [name]);
    this._look(seat);
    const move = game._call("ask", this._write(), game._view, game.rules(this.preset), game._seating, seat, luck);
    if (!this.isLegal(move)) throw new Error(`the bot ${name} at seat ${seat} made an illegal move`);
    return move;
  }

  // The luck of a seat's next decision.
  luckOf(seat) {
    return this.game.luck(this.key ?? [0n, 0n], this.deal, this.rotation, seat, (this._decisions[seat] ?? 0) + 1);
  }

  // The table as a move or card left it, if that ended a round and the next round clears the table; else null.
  endOfRound(move) {
    const { game } = this, { roundLimit, layouts } = game.description;
    if (!roundLimit || this.over || !this.isLegal(move)) return null;
    const rules = fromBase64(game.preset(this.preset).rules), [offset, kind] = layouts.rules.fields[roundLimit];
    rules.fill(0, offset, offset + SIZES[kind]); // so the game stops where the next round would begin
    const at = game._keep(rules), last = this.copy();
    try {
      game._eventsOf((events) => game._call("apply", this._write(), at, move, events));
      last._bytes = game._bytes(game._state, this._bytes.length).slice();
    } finally {
      game.give(at);
    }
    return last.over ? last : null;
  }

  // How the finished game ended: "won", "tied" or "cut", who won, and the shares and scores of all seats.
  outcome() {
    const rows = this.tally(), ended = ["", "won", "tied", "cut"][this._field("ended")], shares = rows.map((row) => row[2]);
    const winners = ended === "cut" ? [] : shares.flatMap((share, seat) => (share > 0 ? [seat] : []));
    return { ended, winners, shares, scores: rows.map((row) => row[this.game.description.score]) };
  }

  // The finished game as numbers: a row for each seat.
  tally() {
    const { game, seats } = this, width = game.description.columns.length;
    const at = game.take(8 * seats * width);
    try {
      game._bytes(at, 8 * seats * width).fill(0);
      game._call("tally", this._write(), seats, at);
      const rows = new Float64Array(game._memory.buffer.slice(at, at + 8 * seats * width));
      return Array.from({ length: seats }, (_, seat) => [...rows.subarray(seat * width, (seat + 1) * width)]);
    } finally {
      game.give(at);
    }
  }

  _look(seat) {
    const { game } = this;
    if (!game.description.secrets) return;
    game._bytes(game._view, game.description.layouts.view.size).fill(0);
    game._call("observe", this._write(), game.rules(this.preset), seat, game._view);
  }

  _write() {
    this.game._bytes(this.game._state, this._bytes.length).set(this._bytes);
    return this.game._state;
  }

  _field(name) {
    const [offset, kind] = this.game.description.layouts.state.fields[name];
    return READ[kind](new DataView(this._bytes.buffer), offset);
  }
}

// The numbers of a table, of which first all first bytes are written, then all second ones, and so on.
function numbersOf(planes) {
  const count = planes.length / 8, bytes = new Uint8Array(planes.length);
  for (let i = 0; i < planes.length; i++) bytes[8 * (i % count) + Math.floor(i / count)] = planes[i];
  return new Float64Array(bytes.buffer);
}

function lineOf(line) {
  const { [MOVE]: move, [VALUE]: value, [WIN]: win, [LOW]: low, [HIGH]: high, [TRIED]: tried } = line;
  const measured = Number.isNaN(low) ? {} : { ci95: [low, high], rollouts: tried };
  return { move, value, win: Number.isNaN(win) ? null : win, ...measured };
}

// An opinion, with the move that wins most, and of those that win as often the one that is worth most.
function rated({ unit, how, grave, percent }, moves) {
  const rank = ({ win, value }) => [Number((win ?? 0).toFixed(6)), value];
  let best = null;
  for (const each of moves) {
    const [wins, value] = rank(each), [mostWins, most] = best ? rank(best) : [-1, 0];
    if (wins > mostWins || (wins === mostWins && value >= most)) best = each;
  }
  return { unit, how, grave, percent, moves, best: best ? best.move : null };
}

// The checksum of bytes (CRC-32).
function checksum(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}

function readField(data, offset, kind, shape) {
  if (!shape.length) return READ[kind](data, offset);
  const [length, ...rest] = shape, step = SIZES[kind] * rest.reduce((a, b) => a * b, 1);
  return Array.from({ length }, (_, i) => readField(data, offset + i * step, kind, rest));
}

// The number of a bot's name, such as 25 in stay-25, if the bot takes it; else null.
function numberIn(bot, name) {
  if (!bot.number || !name.startsWith(bot.number.prefix)) return null;
  const text = name.slice(bot.number.prefix.length), { least, most, whole } = bot.number;
  if (!/^\d+(\.\d+)?$/.test(text)) return null;
  const number = Number(text);
  return number >= least && number <= most && (!whole || Number.isInteger(number)) ? number : null;
}

// A number times a scale; whole, with halves to even, as Python rounds, if there is a scale.
function scaled(number, scale) {
  if (scale === 1) return number;
  const exact = number * scale, floor = Math.floor(exact);
  if (exact - floor !== 0.5) return Math.round(exact);
  return floor % 2 === 0 ? floor : floor + 1;
}

const megabytes = (bytes) => `${Math.round(bytes / 2 ** 20)} MB`;

function fromBase64(text) {
  const raw = atob(text), out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out;
}
