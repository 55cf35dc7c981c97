// Positions to train with, from games of the engine's bots: a key makes the same ones for everybody.

import { botsOf, gameNameOf, gameOf } from "./games.js";
import { Session } from "./session.js";
import { lost } from "./opinion.js";

const MOST_STEPS = 4000; // of a game, in case it does not end
const MOST_DEALS = 400; // that are looked through for one position

/** The seed of a day, the same everywhere. */
export const seedOfDay = (date) => date.getFullYear() * 10000 + (date.getMonth() + 1) * 100 + date.getDate();

/** What sort of decision it is: by the question, and if there are two moves, by what would be right. */
export const kindOf = (position, said, move) => {
  const two = said.moves.length === 2;
  return { decision: position.decision, played: two ? move : null, best: two ? said.best : null };
};

export const kindText = ({ decision, played, best }) => `${decision}/${played ?? ""}/${best ?? ""}`;

/** Positions one after the other: {session, position, seat, said, number}. `wanted` chooses among them. */
export class Exercises {
  constructor(preset, key, wanted = () => true) {
    Object.assign(this, { preset, key, wanted, deal: 0 });
  }

  async next() {
    const game = await gameOf(gameNameOf(this.preset));
    const bots = this.#lineUp(game);
    for (let tries = 0; tries < MOST_DEALS; tries += 1) {
      const found = this.#fromDeal(game, bots, this.deal);
      this.deal += 1;
      if (found) return found;
      if (tries % 8 === 7) await new Promise((resolve) => setTimeout(resolve));
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
  #fromDeal(game, bots, deal) {
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
      const said = session.opinion(position, seat);
      if (said && said.moves.some((each) => lost(said, each.move) > 0) && this.wanted(position, said)) return { session, position, seat, said, step: at, deal };
    }
    return null;
  }
}
