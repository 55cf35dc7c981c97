// What the tests ask the engine for, in node and in a browser alike. `hasher()` makes something to update with bytes or
// texts, and to digest; `wasm()` reads the module of a game.
import { openGame } from "../../src/pitboss/page/static/engine.js";
import { parseKey } from "../../src/pitboss/page/static/keys.js";
import { speaker } from "../../src/pitboss/render/words.js";

// Asks what moves are worth in the first steps of a game.
function think(game, spec, seats) {
  const p = game.start(spec, seats, { key: parseKey("3") });
  for (let step = 0; step < 60 && !p.over; step++) {
    if (p.toAct >= 0) game.opinion(p);
    p.apply(p.toAct < 0 ? p.dealCard() : p.ask("ev"));
  }
}

export const does = {
  // A hash of the rows of many games.
  simulate(game, { spec, names, seed, first, blocks, rotations, hasher }) {
    const rows = game.simulate(spec, names, { key: parseKey(seed), first, blocks, rotations });
    return [hasher().update(new Uint8Array(rows.buffer)).digest("hex"), Object.values(rows.counts)];
  },

  // A hash of everything that happens in a game: states, views, events and legal moves.
  watch(game, { spec, names, seed, deal, rotation, hasher }) {
    const p = game.start(spec, names.length, { key: parseKey(seed), deal, rotation }), all = hasher();
    for (let events = p.first, steps = 0; ; steps++) {
      all.update(p.state());
      for (let seat = 0; seat < p.seats; seat++) all.update(p.view(seat));
      all.update(JSON.stringify([events, p.toAct, p.over ? [] : p.legal()]));
      if (p.over) return [all.digest("hex"), steps, p.tally()];
      events = p.apply(p.toAct < 0 ? p.dealCard() : p.ask(names[p.toAct]));
    }
  },

  // A hash of everything that is said and drawn in games: events, questions, moves, scenes and the rules.
  tell(game, { spec, names, seed, deals, language, words, hasher }) {
    const say = speaker(words, language, spec), all = hasher().update(JSON.stringify(say.rules()));
    let steps = 0;
    for (let deal = 0; deal < deals; deal++) {
      const p = game.start(spec, names.length, { key: parseKey(seed), deal, rotation: 0 });
      for (let events = p.first; ; steps++) {
        const seat = Math.max(p.toAct, 0), view = game.read(p.view(seat), "view");
        const legal = p.toAct < 0 ? [] : p.legal();
        all.update(JSON.stringify([
          events.map((event) => [null, 0, 1].map((eye) => say.event(event, names, eye))),
          say.question(view, names, seat),
          legal.map((move) => [say.move(view, move, names, seat), say.touches(view, move, names, seat)]),
          say.scene(view, names, seat),
          say.publicScene(game.read(p.view(words.publicSeat), "view"), names),
        ]));
        if (p.over) break;
        events = p.apply(p.toAct < 0 ? p.dealCard() : p.ask(names[p.toAct]));
      }
    }
    return [all.digest("hex"), steps];
  },

  // A hash of the same things of a game in which any moves are made.
  wander(game, { spec, seats, seed, hasher }) {
    const p = game.start(spec, seats, { key: parseKey(seed) }), all = hasher();
    for (let steps = 0; ; steps++) {
      const legal = p.over ? [] : p.legal();
      all.update(p.state());
      for (let seat = 0; seat < p.seats; seat++) all.update(p.view(seat));
      all.update(JSON.stringify(legal));
      if (p.over) return [all.digest("hex"), steps];
      p.apply(p.toAct < 0 ? p.dealCard() : legal[(17 * steps) % legal.length]);
    }
  },

  // What is said of every decision of a game.
  opinions(game, { spec, names, seed, deal, every }) {
    const p = game.start(spec, names.length, { key: parseKey(seed), deal }), out = [];
    for (let n = 0; !p.over;) {
      if (p.toAct >= 0 && n++ % every === 0) out.push(game.opinion(p, p.toAct));
      p.apply(p.toAct < 0 ? p.dealCard() : p.ask(names[p.toAct]));
    }
    return out;
  },

  // The table after every round.
  rounds(game, { spec, names, seed, hasher }) {
    const p = game.start(spec, names.length, { key: parseKey(seed) }), all = hasher();
    let count = 0;
    while (!p.over) {
      const move = p.toAct < 0 ? p.dealCard() : p.ask(names[p.toAct]), last = p.endOfRound(move);
      if (last) all.update(last.state());
      count += last ? 1 : 0;
      p.apply(move);
    }
    return [count, all.digest("hex"), p.outcome()];
  },

  // How much memory is in use after each of several rounds of thinking and playing.
  steady(game, { spec, names, times }) {
    return Array.from({ length: times }, () => {
      think(game, spec, names.length);
      game.simulate(spec, names, { key: parseKey("1"), blocks: 1 });
      return game._memory.buffer.byteLength;
    });
  },

  // The fields of a record.
  read(game, { spec, seats, which }) {
    const p = game.start(spec, seats);
    return which === "rules" ? game.readRules(spec) : game.read(which === "view" ? p.view(0) : p.state(), which);
  },

  // The parameters of a bot.
  params: (game, { spec, name }) => [...game.entrant(spec, name).params],

  // What a refusal says.
  async refusal(game, { spec, attempt, wasm }) {
    const attempts = {
      memory: async () => {
        const description = { ...game.description, memory: { least: 2 ** 24, most: 2 ** 60 } };
        await openGame({ description, wasm: await wasm(game.name) });
      },
      room: async () => {
        const small = await openGame({ description: game.description, wasm: await wasm(game.name) }, { most: 2 ** 24 });
        for (let i = 0; i < 64; i++) small.take(2 ** 20);
      },
      thought: async () => {
        const small = await openGame({ description: game.description, wasm: await wasm(game.name) }, { most: 2 ** 24 });
        try {
          think(small, "flip7:official", 4);
        } catch (problem) {
          think(small, "flip7:solo", 1); // what needs less goes on
          throw problem;
        }
      },
      seats: () => game.start(spec, 99),
      preset: () => game.start(`${spec}x`, 2),
      bot: () => game.entrant(spec, "nobody"),
      seed: () => parseKey("x"),
      move: () => game.start(spec, game.preset(spec).seats[0]).apply(-5),
    };
    try {
      await attempts[attempt]();
      return "";
    } catch (problem) {
      return problem.message;
    }
  },
};
