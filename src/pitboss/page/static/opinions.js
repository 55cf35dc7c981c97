// Opinions that take a while, asked of a worker, so that the page stays awake: one worker for each game.

import { dataOf } from "./games.js";
import { answer, startWorker } from "./simulation.js";

const asking = new Map(); // by the name of a game: the promise of the last answer, and its worker

async function opened(name) {
  const worker = startWorker();
  await answer(worker, { open: await dataOf(name) });
  return worker;
}

/** Ask the worker of a game, after whatever it was asked before. */
function queue({ game: { name } }, question) {
  const before = asking.get(name) ?? { worker: opened(name), last: Promise.resolve() };
  const ask = async () => answer(await before.worker, question);
  const last = before.last.then(ask, ask);
  asking.set(name, { ...before, last });
  return last;
}

/** What somebody who knows says of the decision of a seat; null where nobody can say. */
export async function opinionOf(session, position, seat) {
  return (await queue(session, { opinion: { preset: session.preset, seats: position.seats, state: position.state(), seat } })).said;
}

/** Everybody's chances to win after a move or a card, by games played on from there. */
export async function outlookOf(session, position, move) {
  return (await queue(session, { outlook: { preset: session.preset, seats: position.seats, state: position.state(), move } })).seen;
}
