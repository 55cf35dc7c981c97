// What became of the games that were played on this device: kept here alone, and told to nobody.

const KEY = "pitboss-results";
const MOST = 1000; // games that are remembered

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]");
  } catch {
    return []; // not allowed to remember
  }
}

function write(all) {
  try {
    localStorage.setItem(KEY, JSON.stringify(all.slice(0, MOST)));
  } catch {
    // not allowed to remember
  }
}

/** Games that are over, the newest first:
 * {id, game, title, names, seat, scores, winners, when, regret: null | {lost, decisions, unit, percent}}. */
export const results = () => read();

/** Remember a game that ended; one that is known already keeps what was found out about it. */
export function keepResult(result) {
  const all = read(), known = all.find((each) => each.id === result.id);
  if (!known) write([{ regret: null, ...result }, ...all]);
}

/** Remember what the decisions of a game cost. */
export function keepRegret(id, regret) {
  write(read().map((each) => (each.id === id ? { ...each, regret } : each)));
}

/** Forget one game, or all of them. */
export const forgetResult = (id) => write(read().filter((each) => each.id !== id));
export const forgetResults = () => write([]);
