// A worker: it opens a game once, and then plays the blocks, or rates the moves, that it is asked for.

import { openGame } from "./engine.js";
import { sumsOf } from "./intervals.js";

let game = null;

addEventListener("message", async ({ data }) => {
  try {
    if (data.open) {
      game = await openGame(data.open);
      return postMessage({ ready: true });
    }
    if (data.opinion) {
      const { preset, seats, state, seat } = data.opinion;
      return postMessage({ said: game.opinion(game.start(preset, seats).load(state), seat) });
    }
    if (data.outlook) {
      const { preset, seats, state, move } = data.outlook;
      return postMessage({ seen: game.outlook(game.start(preset, seats).load(state), move) });
    }
    const { number, preset, bots, key, first, blocks } = data;
    const rows = game.simulate(preset, bots, { key, first, blocks });
    const shape = { blocks, rotations: bots.length, seats: bots.length, width: game.description.columns.length };
    return postMessage({ number, sums: sumsOf(rows, shape), counts: rows.counts });
  } catch (problem) {
    return postMessage({ problem: problem.message });
  }
});
