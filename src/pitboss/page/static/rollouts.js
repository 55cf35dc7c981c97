// What moves are worth in a game without an analysis of its own: each is tried in many rollouts, as in Python
// (`pitboss.analysis.rollouts`), for games in which everything is open. All moves meet the same luck, and those that are
// clearly worse than the best are dropped on the way.

import { keyFromBytes } from "./keys.js";

const ROLLOUTS = 4000; // of all moves together
const LEAST = 10, MOST_BETWEEN = 250; // worlds before moves are dropped, and between two looks
const CLEARLY = 3; // standard errors by which a move must be worse to be dropped
const FEW = 4, WELL = 200; // while more moves than this are open, and there is no budget to try them all so often
const SHARE = 2; // the column of a row that says who won
const GRAVE = 0.05, Z = 1.96;

export function rollouts(game, position, seat, policy, budget = ROLLOUTS) {
  const moves = position.legal();
  if (!moves.length) return null;
  const bytes = position.state(), text = new TextEncoder().encode(position.preset);
  const key = keyFromBytes(Uint8Array.from([...bytes, ...text])), width = game.description.columns.length;
  const trial = new Trial(moves.length, budget);
  while (trial.goesOn) {
    for (const k of trial.open) trial.shares[k].push(game.finish(position, moves[k], policy, key, trial.worlds)[seat * width + SHARE]);
    trial.nextWorld();
  }
  const most = Math.max(...trial.shares.map((shares) => shares.length)), least = Math.min(...trial.shares.map((shares) => shares.length));
  const tried = least === most ? `${most} rollouts of each move` : `${least} to ${most} rollouts of each move`;
  const best = trial.best;
  return {
    unit: "share of the win",
    how: `measured in ${tried}: ways to go on, with all seats playing on as ${policy}`,
    grave: GRAVE,
    percent: true,
    moves: moves.map((move, k) => ({
      move,
      value: trial.mean(k),
      win: null,
      ci95: interval(trial.shares[k]),
      behind: interval(trial.ahead(k, best)),
      rollouts: trial.shares[k].length,
    })),
    best: moves[best],
  };
}

const OUTLOOKS = 400; // games for the chances after a move or a card

/** How often each seat wins after a move or a card, when the game is played on from there, every card lying where it lies. */
export function outlook(game, position, move, policy) {
  const { seats } = position, width = game.description.columns.length;
  const key = keyFromBytes(Uint8Array.from([...position.state(), move & 255]));
  const shares = Array.from({ length: seats }, () => []);
  for (let i = 0; i < OUTLOOKS; i += 1) {
    const rows = game.finish(position, move, policy, key, i);
    shares.forEach((own, seat) => own.push(rows[seat * width + SHARE]));
  }
  const half = Math.max(...shares.map((own) => interval(own)[1] - sum(own) / own.length));
  return { chances: shares.map((own) => sum(own) / own.length), half, how: `measured in ${OUTLOOKS} games, with all seats playing on as ${policy}` };
}

class Trial {
  constructor(moves, budget) {
    this.budget = budget;
    this.worlds = 0;
    this.used = 0;
    this.open = Array.from({ length: moves }, (_, k) => k);
    this.shares = this.open.map(() => []);
    this.least = Math.max(2, Math.min(LEAST, Math.floor(budget / moves)));
    this.every = Math.max(this.least, Math.min(MOST_BETWEEN, Math.floor(budget / (4 * moves))));
    this.most = Math.max(Math.floor(budget / 2), LEAST) + 1;
  }

  get goesOn() {
    if (this.worlds < this.least) return true;
    const unsure = this.open.length > 1 || this.worlds < WELL;
    return unsure && this.used + this.open.length <= this.budget && this.worlds < this.most;
  }

  nextWorld() {
    this.worlds++;
    this.used += this.open.length;
    if (this.worlds % this.every) return;
    const { best } = this;
    this.open = this.open.filter((k) => k === best || !this.clearlyBehind(k, best));
    if (this.open.length > FEW && Math.floor((this.budget - this.used) / this.open.length) < WELL) {
      const better = [...this.open].sort((a, b) => this.mean(b) - this.mean(a)).slice(0, Math.ceil(this.open.length / 2));
      this.open = this.open.filter((k) => k === best || better.includes(k));
    }
  }

  mean(k) {
    return sum(this.shares[k]) / this.shares[k].length;
  }

  get best() {
    return this.open.reduce((best, k) => (this.mean(k) > this.mean(best) ? k : best));
  }

  ahead(k, best) {
    return this.shares[k].map((share, i) => this.shares[best][i] - share);
  }

  clearlyBehind(k, best) {
    const ahead = this.ahead(k, best), total = sum(ahead);
    return total > 0 && total ** 2 > CLEARLY ** 2 * sum(ahead.map((x) => x * x));
  }
}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

// Where the mean of what was measured lies, with 95 %.
function interval(values) {
  const n = values.length, mean = sum(values) / n, spread = sum(values.map((x) => (x - mean) ** 2)) / Math.max(n - 1, 1);
  const half = Z * Math.sqrt(spread / n);
  return [mean - half, mean + half];
}
