// Opinions that take a while, asked of a worker, so that the page stays awake: one worker for each game.

import { dataOf } from "./games.js";
import { answer, startWorker } from "./simulation.js";

const asking = new Map(); // by the name of a game: the promise of the last answer, and its worker

async function opened(name) {
  const worker = startWorker();
  await answer(worker, { open: await dataOf(name) });
  return worker;
}

/** What somebody who knows says of the decision of a seat; null where nobody can say. */
export function opinionOf(session, position, seat) {
  const { name } = session.game;
  const before = asking.get(name) ?? { worker: opened(name), last: Promise.resolve() };
  const question = { preset: session.preset, seats: position.seats, state: position.state(), seat };
  const ask = async () => (await answer(await before.worker, { opinion: question })).said;
  const last = before.last.then(ask, ask);
  asking.set(name, { ...before, last });
  return last;
}
