// Does what the tests ask for, in node: jobs come as JSON from the standard input, results go to the standard output.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { openGame, parseKey } from "../../src/pitboss/page/static/engine.js";

const games = new Map();

async function gameOf(folder, spec) {
  const name = spec.split(":")[0];
  if (!games.has(name)) {
    const description = JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"));
    games.set(name, await openGame({ description, wasm: readFileSync(`${folder}/${name}.wasm`) }));
  }
  return games.get(name);
}

const digest = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");

const does = {
  // A hash of the rows of many games.
  simulate(game, { spec, names, seed, first, blocks, rotations }) {
    const rows = game.simulate(spec, names, { key: parseKey(seed), first, blocks, rotations });
    return [digest(new Uint8Array(rows.buffer)), Object.values(rows.counts)];
  },

  // A hash of everything that happens in a game: states, views, events and legal moves.
  watch(game, { spec, names, seed, deal, rotation }) {
    const p = game.start(spec, names.length, { key: parseKey(seed), deal, rotation }), all = createHash("sha256");
    for (let events = p.first, steps = 0; ; steps++) {
      all.update(p.state());
      for (let seat = 0; seat < p.seats; seat++) all.update(p.view(seat));
      all.update(JSON.stringify([events, p.toAct, p.over ? [] : p.legal()]));
      if (p.over) return [all.digest("hex"), steps, p.tally()];
      events = p.apply(p.toAct < 0 ? p.dealCard() : p.ask(names[p.toAct]));
    }
  },

  // A hash of the same things of a game in which any moves are made.
  wander(game, { spec, seats, seed }) {
    const p = game.start(spec, seats, { key: parseKey(seed) }), all = createHash("sha256");
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
  rounds(game, { spec, names, seed }) {
    const p = game.start(spec, names.length, { key: parseKey(seed) }), all = createHash("sha256");
    let count = 0;
    while (!p.over) {
      const move = p.toAct < 0 ? p.dealCard() : p.ask(names[p.toAct]), last = p.endOfRound(move);
      if (last) all.update(last.state());
      count += last ? 1 : 0;
      p.apply(move);
    }
    return [count, all.digest("hex"), p.outcome()];
  },

  // The fields of a record.
  read(game, { spec, seats, which }) {
    const p = game.start(spec, seats);
    return which === "rules" ? game.readRules(spec) : game.read(which === "view" ? p.view(0) : p.state(), which);
  },

  // The parameters of a bot.
  params: (game, { spec, name }) => [...game.entrant(spec, name).params],

  // What a refusal says.
  async refusal(game, { spec, attempt, folder }) {
    const attempts = {
      memory: async () => {
        const description = { ...game.description, memory: { least: 2 ** 24, most: 2 ** 60 } };
        await openGame({ description, wasm: readFileSync(`${folder}/${game.name}.wasm`) });
      },
      room: async () => {
        const small = await openGame({ description: game.description, wasm: readFileSync(`${folder}/${game.name}.wasm`) }, { most: 2 ** 24 });
        for (let i = 0; i < 64; i++) small.take(2 ** 20);
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

const { folder, jobs } = JSON.parse(readFileSync(0, "utf8"));
const results = [];
for (const job of jobs) results.push(await does[job.do](await gameOf(folder, job.spec), { ...job, folder }));
process.stdout.write(JSON.stringify(results));
