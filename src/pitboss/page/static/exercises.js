// Positions to train with, from games of the engine's bots: a key makes the same ones for everybody.

import { botsOf, gameNameOf, gameOf } from "./games.js";
import { Session } from "./session.js";
import { lost } from "./opinion.js";
import { opinionOf } from "./opinions.js";

const MOST_STEPS = 4000; // of a game, in case it does not end
const HARD = 5; // blunders that a move may cost at most, if the choice is to be a question
const MOST_DEALS = 400; // that are looked through for one position

/** The seed of a day, the same everywhere. */
export const seedOfDay = (date) => date.getFullYear() * 10000 + (date.getMonth() + 1) * 100 + date.getDate();

const RISKS = [0, 0.1, 0.2, 0.3, 0.4, 1]; // by which decisions to draw are told apart

/** What sort of decision it is: by the question, by what would be right if there are two moves, and by the risk of a card. */
export function kindOf(session, position, said, move) {
  const two = said.moves.length === 2, risk = two ? session.risk(position) : null;
  return { decision: position.decision, played: two ? move : null, best: two ? said.best : null, risk: risk === null ? null : RISKS.findLastIndex((least) => risk >= least) };
}

/** The limits of a sort of risk. */
export const riskRange = (risk) => [RISKS[risk], RISKS[Math.min(risk + 1, RISKS.length - 1)]];

export const kindText = ({ decision, played, best, risk }) => [decision, played, best, risk].join("/");

/** Whether a decision is worth a thought: a move is worse than the best, and not by so much that anybody sees it. */
function isHard(said) {
  const costs = said.moves.map((each) => lost(said, each.move)).filter((cost) => cost > 0);
  return costs.length > 0 && Math.min(...costs) < HARD * said.grave;
}

/** Positions one after the other: {session, position, seat, said, number}. `wanted` chooses among them. */
export class Exercises {
  constructor(preset, key, wanted = () => true) {
    Object.assign(this, { preset, key, wanted, deal: 0 });
  }

  async next() {
    const game = await gameOf(gameNameOf(this.preset));
    const bots = this.#lineUp(game);
    for (let tries = 0; tries < MOST_DEALS; tries += 1) {
      const found = await this.#fromDeal(game, bots, this.deal);
      this.deal += 1;
      if (found) return found;
    }
    return null;
  }

  #lineUp(game) {
    const all = botsOf(game, this.preset);
    const names = (all.some((bot) => bot.usual) ? all.filter((bot) => bot.usual) : all).map((bot) => bot.name);
    const [least, most] = game.preset(this.preset).seats;
    return Array.from({ length: Math.min(Math.max(least, 3), most) }, (_, i) => names[i % names.length]);
  }

  /** One decision of a game, if it has one that is worth a thought. */
  async #fromDeal(game, bots, deal) {
    const names = bots.map((bot, i) => `${bot} (${i + 1})`);
    const session = new Session(game, { preset: this.preset, names, key: this.key, deal });
    const decisions = [];
    for (let n = 0; n < MOST_STEPS && !session.position.over; n += 1) {
      const { position } = session;
      if (position.toAct < 0) session.dealCard();
      else {
        if (position.legal().length > 1) decisions.push(session.steps.length - 1);
        session.apply(position.ask(bots[position.toAct]));
      }
    }
    let luck = game.luck(this.key, deal, 0, 0, 1);
    for (let tries = 0; tries < 6 && decisions.length; tries += 1) {
      const at = decisions.splice(Number(luck % BigInt(decisions.length)), 1)[0];
      luck >>= 8n;
      const { after: position } = session.steps[at];
      const seat = position.toAct;
      const said = await opinionOf(session, position, seat);
      if (said && isHard(said) && this.wanted(session, position, said)) return { session, position, seat, said, step: at, deal };
    }
    return null;
  }
}
