// The story of a game, worked out here: chances to win by games played on from each step, and what decisions cost.

import { outlookOf } from "./opinions.js";
import { t } from "./texts.js";

/** All points of a story (`story.js`), or null if nobody can play on; `tell(done, all)` hears how far it is, and `gone()`
 * may end it. `opinion(number)` is what is known about the decision that led to a step. */
export async function taleOf(session, { opinion, tell, gone }) {
  if (!session.game.preset(session.preset).opinion.playOn) return null;
  const points = [], chapters = [], last = session.steps.length - 1;
  for (const [number, step] of session.steps.entries()) {
    const chapter = session.scene(step.after, null).title.split(", ").at(-1);
    if (chapters.at(-1)?.[0] !== chapter) chapters.push([chapter, number]);
    if (number === 0) continue; // nothing has happened yet
    const seen = number === last && session.position.over ? { chances: session.position.outcome().shares, half: 0, how: "certain" } : await outlookOf(session, step.before, step.move);
    if (gone()) return null;
    const lines = session.lines(step, null), told = lines.filter(([, major]) => major).at(-1) ?? lines.at(-1) ?? [""];
    const decided = step.by !== null && step.by >= 0;
    points.push({ step: number, text: told[0].replace(/^-+ | -+$/g, ""), by: decided ? step.by : null, decision: decided ? judged(session, step, await opinion(number)) : null, ...seen });
    tell(number, last);
  }
  const { winners, scores } = session.position.outcome();
  return { names: session.names, chapters, points, winners, scores };
}

/** A decision beside the best that it could have been; null where nobody can say. */
function judged(session, { before, by, move }, said) {
  const made = said?.moves.find((each) => each.move === move);
  if (!made || said.moves.length < 2) return null;
  const wins = said.moves.every((each) => each.win !== null && each.win !== undefined);
  const worth = (each) => (wins ? each.win : each.value);
  const best = said.moves.find((each) => each.move === said.best), rest = said.moves.filter((each) => each !== best);
  const next = rest.reduce((most, each) => (worth(each) > worth(most) ? each : most));
  const other = made === best ? next : made;
  return {
    seat: by, played: session.label(before, by, move), better: session.label(before, by, said.best),
    lost: Math.max(0, worth(best) - worth(made)), ahead: made === best ? Math.max(0, worth(best) - worth(next)) : 0,
    certain: other.behind ? other.behind[0] > 0 : !other.ci95, unusual: false, policy: "",
    unit: wins ? "chances to win" : said.unit, percent: wins || Boolean(said.percent), how: said.how,
  };
}

/** What the story says, in the language of the page. */
export const taleWords = () => ({
  ...Object.fromEntries(["curve", "turns", "best", "worst", "luck", "none", "even", "unsure", "end", "alone"].map((name) => [name, t(`story.${name}`)])),
  change: (name, before, after) => t("story.change", { name, before, after }),
  right: (name, played, ahead) => t("story.right", { name, played, ahead }),
  wrong: (name, played, better, lost) => t("story.wrong", { name, played, better, lost }),
  unusual: () => "",
  estimated: (how) => t("story.estimated", { how }),
});
