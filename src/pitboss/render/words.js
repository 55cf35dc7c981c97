// Says and draws what happens in a game, from the description that Game.describe_words() makes: the same as
// core/speaker.py, for pages. No text and no rule of any game is written here.

const HIDDEN = -1; // instead of a detail that a seat may not know

// --- expressions: nested lists, as core/formula.py makes them ---

const truth = (value) => (Array.isArray(value) ? value.length > 0 : Boolean(value));
const plain = (value) => (typeof value === "boolean" ? Number(value) : value);
const whole = (values) => values.reduce((sum, n) => sum + plain(n), 0);
const extreme = (choose) => (...values) => choose(...(Array.isArray(values[0]) ? values[0] : values));

const OPERATORS = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "//": (a, b) => Math.floor(a / b),
  "%": (a, b) => ((a % b) + b) % b,
  ">>": (a, b) => a >> b,
  "&": (a, b) => a & b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  in: (a, b) => b.includes(a),
};

const FUNCTIONS = {
  join: (between, values) => values.map(show).join(between),
  len: (values) => values.length,
  max: extreme(Math.max),
  min: extreme(Math.min),
  range: (a, b) => Array.from({ length: Math.max(0, b === undefined ? a : b - a) }, (_, i) => (b === undefined ? i : a + i)),
  reversed: (values) => [...values].reverse(),
  spread: (counts) => counts.flatMap((count, kind) => Array(Math.max(0, count)).fill(kind)),
  sum: whole,
};

function show(value) {
  if (Array.isArray(value)) return value.map(show).join(", ");
  return Number.isFinite(value) && !Number.isInteger(value) ? String(Number(value.toPrecision(6))) : String(value);
}

function at(values, index) {
  const found = values[index < 0 ? values.length + index : index];
  if (found === undefined) throw new Error(`there is no place ${index} among ${values.length}`);
  return found;
}

// A function of facts that computes a node.
function compile(node, tables) {
  if (!Array.isArray(node)) return () => node;
  const of = (part) => compile(part, tables);
  const [what, ...rest] = node;
  switch (what) {
    case "field": return (facts) => facts.field(rest[0]);
    case "value": return (facts) => facts.value(rest[0]);
    case "local": return (facts) => facts.locals[rest[0]];
    case "table": return () => tables[rest[0]];
    case "rule": return (facts) => facts.field("rules")[rest[0]];
    case "call": return call(rest[0], rest.slice(1).map(of));
    case "each": return each(of(rest[0]), rest[1].map(([name, over, test]) => [name, of(over), of(test)]));
    case "say": return say(rest.map((part) => (typeof part === "string" ? part : of(part))));
    case "choose": return choose(of(rest[0]), rest[1].map(([test, said]) => [of(test), of(said)]), of(rest[2]));
  }
  const parts = rest.map(of);
  const [first, second, third] = parts;
  switch (what) {
    case "at": return (facts) => at(first(facts), plain(second(facts)));
    case "slice": return (facts) => first(facts).slice(second(facts), third(facts));
    case "list": return (facts) => parts.map((part) => part(facts));
    case "if": return (facts) => (truth(first(facts)) ? second(facts) : third(facts));
    case "not": return (facts) => !truth(first(facts));
    case "show": return (facts) => show(first(facts));
    case "and": return connected(parts, false);
    case "or": return connected(parts, true);
  }
  const operator = OPERATORS[what];
  if (!operator) throw new Error(`words.js does not know ${what}`);
  return (facts) => operator(plain(first(facts)), plain(second(facts)));
}

// `and` is its first false part, `or` its first true one; if there is none, the last.
function connected(parts, end) {
  return (facts) => {
    let value;
    for (const part of parts) {
      value = part(facts);
      if (truth(value) === end) break;
    }
    return value;
  };
}

function call(name, args) {
  if (name === "name") return (facts) => facts.nameOf(args[0](facts));
  if (name === "player") return (facts) => facts.field("names")[args[0](facts)] ?? "";
  return (facts) => FUNCTIONS[name](...args.map((arg) => arg(facts)));
}

function each(result, loops) {
  const run = (facts, depth, out) => {
    if (depth === loops.length) return out.push(result(facts));
    const [name, over, test] = loops[depth];
    for (const item of over(facts)) {
      facts.locals[name] = item;
      if (truth(test(facts))) run(facts, depth + 1, out);
    }
    return out;
  };
  return (facts) => {
    const before = facts.locals;
    facts.locals = { ...before };
    const out = [];
    run(facts, 0, out);
    facts.locals = before;
    return out;
  };
}

function say(parts) {
  return (facts) => parts.map((part) => (typeof part === "string" ? part : show(part(facts)))).join("");
}

function choose(value, cases, other) {
  return (facts) => {
    const before = facts.locals;
    facts.locals = { ...before, n: plain(value(facts)) };
    const found = cases.find(([test]) => truth(test(facts)));
    const said = (found ? found[1] : other)(facts);
    facts.locals = before;
    return said;
  };
}

// --- what is known at a moment ---

class Facts {
  constructor(fields, values, nameOf, known) {
    Object.assign(this, { fields, values, nameOf, known, computed: new Map(), locals: {} });
  }

  field(name) {
    const found = name in this.known ? this.known[name] : this.fields[name];
    if (found === undefined) throw new Error(`the view has no ${name}`);
    return found;
  }

  value(name) {
    if (!this.computed.has(name)) this.computed.set(name, this.values[name](this));
    return this.computed.get(name);
  }
}

// --- the speaker ---

// Who speaks a language about the game with these words, at a table: the text of a preset, or {game, rules} of any
// rules. In all methods a view is the object of fields that readRecord returns; `seat` is whose view it is, -1 for
// somebody who only watches.
export function speaker(words, language = "en", table = null) {
  const texts = words.languages[language] ?? words.languages.en;
  const made = (nodes) => Object.fromEntries(Object.entries(nodes).map(([name, node]) => [name, compile(node, words.tables)]));
  const cases = (name) => {
    const said = made(texts[name]);
    return Object.entries(made(words[name])).map(([key, when]) => [when, said[key]]);
  };
  const values = Object.fromEntries(Object.entries(words.values).map(([scope, nodes]) => [scope, made(nodes)]));
  const ofSeat = Object.keys(words.values.seat);
  const [questions, moves, centre, captions, badges, rules] = ["questions", "moves", "centre", "captions", "badges", "rules"].map(cases);
  const [events, secret, faces] = [texts.events, texts.secret, texts.faces].map(made);
  const [face, seatParts, touch] = [words.face, words.seat, words.touch].map(made);
  const [title, caption] = ["title", "caption"].map((name) => compile(texts.scene[name] ?? "", words.tables));
  const rows = words.rows.map((node) => compile(node, words.tables));
  const [states, counts] = [words.states, words.scene].map(made);
  const number = (node, facts) => (node ? plain(node(facts)) : null);
  const drawn = new Map();

  const book = (wanted) => {
    if (wanted && typeof wanted === "object") return wanted;
    const text = wanted ?? Object.keys(words.rulebooks)[0];
    return { game: text, ...(words.rulebooks[text] ?? Object.values(words.rulebooks)[0]) };
  };
  const here = book(table);
  const first = (list, facts) => list.find(([when]) => truth(when(facts)))?.[1](facts) ?? "";
  const card = (kind) => {
    const name = words.tables.NAME[kind] ?? "";
    return texts.cards[name] ?? name;
  };
  const of = (view, names, viewer, ...scopes) =>
    new Facts(view, Object.assign({}, ...scopes.map((scope) => values[scope])), card, {
      names, viewer, game: here.title, rules: here.rules,
    });
  const viewerOf = (view, seat) => seat ?? view.seat ?? view.to_act;

  const drawCard = (kind, faded = false) => {
    const key = `${kind} ${faded}`;
    if (!drawn.has(key)) {
      const facts = new Facts({ card: kind }, values.face, card, {});
      const name = face.say ? faces[face.say(facts)](facts) : card(kind);
      drawn.set(key, { text: face.text(facts), kind: face.kind(facts), name, faded, tone: face.tone?.(facts) ?? "", mark: face.mark?.(facts) ?? "" });
    }
    return { ...drawn.get(key) };
  };

  const drawSeat = (facts, seat, name) => {
    facts.known.seat = seat;
    for (const value of ofSeat) facts.computed.delete(value);
    const faded = seatParts.faded ? truth(seatParts.faded(facts)) : false;
    const shown = badges.flatMap(([when, said]) => {
      const found = when(facts);
      if (!Array.isArray(found)) return truth(found) ? [said(facts)] : [];
      return found.map((it) => {
        facts.known.it = it;
        return said(facts);
      });
    });
    return {
      name,
      rows: rows.map((row) => row(facts).map((kind) => drawCard(kind, faded))),
      badges: shown,
      caption: first(captions, facts),
      to_act: facts.field("to_act") === seat,
      out: seatParts.out ? truth(seatParts.out(facts)) : false,
      state: Object.keys(states).find((state) => truth(states[state](facts))) ?? "",
      points: number(seatParts.points, facts),
      total: number(seatParts.total, facts),
    };
  };

  const scene = (view, names, seat = null) => {
    const facts = of(view, names, viewerOf(view, seat), "table", "seat");
    const count = view.seats ?? names.length;
    const seats = Array.from({ length: count }, (_, place) => drawSeat(facts, place, names[place]));
    const middle = centre.map(([cards, said]) => [said, cards(facts).map((kind) => drawCard(kind))]);
    return {
      title: title(facts),
      caption: caption(facts),
      seats,
      centre: middle.filter(([, cards]) => cards.length).map(([said, cards]) => [said(facts), cards]),
      target: number(counts.target, facts),
      deck: number(counts.deck, facts),
      discarded: number(counts.discarded, facts),
    };
  };

  const seen = ([code, seat, a, b], eye) => {
    const kind = words.kinds[code] ?? code;
    if (eye !== null) {
      const hidden = words.hidden.all?.[kind] ?? (eye === seat ? null : words.hidden.others?.[kind]);
      const covered = eye !== seat && kind in secret;
      if (covered || hidden === "a") a = HIDDEN;
      if (covered || hidden === "b") b = HIDDEN;
    }
    return [kind, seat, a, b];
  };

  return {
    language,
    card,
    face: drawCard,
    scene,

    // As those see it who hold no cards; the view is that of the seat `words.publicSeat`.
    publicScene: (view, names) => scene(view, names, -1),

    // Whether somebody who only glances at the game should be told.
    isMajor: ([kind]) => !words.minor.includes(words.kinds[kind] ?? kind),

    // An event [kind, seat, a, b] as a seat may know it, or as it is where no seat is given.
    event(told, names, eye = null) {
      const [kind, seat, a, b] = seen(told, eye);
      const said = kind in secret && a === HIDDEN && b === HIDDEN ? secret : events;
      return said[kind](new Facts({ who: names[seat] ?? "", seat, a, b, kind, names }, values.event, card, {}));
    },

    // What pages make much of: [[name, seat, a, b]], as render/steps.py says.
    moments: (events, eye = null) => events.map((event) => seen(event, eye)).filter(([kind]) => kind in words.moments).map(([kind, ...rest]) => [words.moments[kind], ...rest]),

    question: (view, names = [], seat = null) => first(questions, of(view, names, viewerOf(view, seat), "table")),

    move(view, move, names, seat = null) {
      if (!moves.length) return words.notation.moves[move] ?? String(move);
      const facts = of(view, names, viewerOf(view, seat), "table", "move");
      facts.known.move = move;
      return first(moves, facts);
    },

    // What a person can click on to make a move: [seat, which of its cards, or null for the seat itself], or null.
    // Cards count from 0 in the last row of the seat's scene, and go on in the row above it.
    touches(view, move, names = [], seat = null) {
      if (!touch.seat) return null;
      const facts = of(view, names, viewerOf(view, seat), "table", "move");
      facts.known.move = move;
      const place = touch.seat(facts);
      const number = touch.card && place >= 0 ? touch.card(facts) : -1;
      return place < 0 ? null : [place, number < 0 ? null : number];
    },

    // The rules of a table in plain words.
    rules(wanted = table) {
      const of = book(wanted);
      if (of.said) return of.said;
      const facts = new Facts(of.rules, values.rules, card, {});
      return rules.filter(([when]) => truth(when(facts))).map(([, said]) => said(facts));
    },
  };
}

// The languages that a game speaks.
export const languages = (words) => Object.keys(words.languages);
