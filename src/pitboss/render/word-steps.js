// Moves that are chosen in steps: `bid 3 5` is a verb and two arguments, and hundreds of such moves are no row of buttons.

const WALL = 12; // moves up to which each gets a button of its own

/**
 * What to offer once some words are chosen: moves ({ move, text, keys, words }) as they are if they are few; else the
 * words that come next. A word that leads to several moves has `move: null`; words that all share count as chosen.
 */
export function wordSteps(moves, words) {
  const open = moves.filter((each) => words.every((word, i) => each.words[i] === word));
  const chosen = [...words];
  const next = (each) => each.words[chosen.length];
  if (open.length <= WALL) return { chosen, offers: words.length ? withKeys(open, next) : open };
  while (next(open[0]) !== undefined && open.every((each) => next(each) === next(open[0]))) chosen.push(next(open[0]));
  const groups = new Map();
  for (const each of open) groups.set(next(each), [...(groups.get(next(each)) ?? []), each]);
  const offers = [...groups].flatMap(([word, group]) =>
    word === undefined || group.length === 1 ? group : [{ move: null, text: word, keys: [], words: [...chosen, word] }]);
  return { chosen, offers: offers.length < moves.length ? withKeys(offers, next) : offers };
}

/** Its key is the next word, if that is one sign, or the first letter of the text; unless it is another's, too. */
function withKeys(offers, next) {
  const signs = offers.map((each) => (next(each)?.length === 1 ? next(each) : each.text.match(/[a-z]/i)?.[0])?.toLowerCase());
  return offers.map((each, i) => ({ ...each, keys: signs[i] && signs.indexOf(signs[i]) === signs.lastIndexOf(signs[i]) ? [signs[i]] : [] }));
}
