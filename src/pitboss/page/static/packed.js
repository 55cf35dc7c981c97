// A game in a link: the rule book, who played, and all cards and moves, a byte each where they are small.
//
//   flip7:official~ann,bob~0,0~AwcBDA…

import { gameNameOf, gameOf, presetOf } from "./games.js";
import { Session } from "./session.js";
import { t } from "./texts.js";

const LARGE = 255; // a byte that says: the next two are the number

export function packMoves(moves) {
  const bytes = moves.flatMap((move) => (move < LARGE ? [move] : [LARGE, move >> 8, move & 255]));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function unpackMoves(text) {
  const bytes = [...atob(text.replaceAll("-", "+").replaceAll("_", "/"))].map((sign) => sign.charCodeAt(0));
  const out = [];
  for (let i = 0; i < bytes.length; i += 1) {
    if (bytes[i] === LARGE) out.push(bytes[(i += 1)] * 256 + bytes[(i += 1)]);
    else out.push(bytes[i]);
  }
  return out;
}

/** The part of an address that carries a game, up to a step. */
export function packGame(session, steps = session.steps.length) {
  const names = session.names.map((name) => encodeURIComponent(name).replaceAll("~", "%7E")).join(",");
  return encodeURIComponent([session.preset, names, session.totals.join(","), packMoves(session.moves.slice(0, steps - 1))].join("~"));
}

/** The game of a link, replayed; a sentence if it cannot be. */
export async function unpackGame(text, refused) {
  const [preset, names = "", totals = "", moves = ""] = text.split("~");
  try {
    if (presetOf(preset).text !== preset) throw new Error(t("replay.unknown", { game: preset }));
    const game = await gameOf(gameNameOf(preset));
    const session = new Session(game, { preset, names: names.split(",").map(decodeURIComponent), totals: totals.split(",").filter(Boolean).map(Number) });
    for (const move of unpackMoves(moves)) session.apply(move);
    return session;
  } catch (problem) {
    throw new Error(`${refused} (${problem.message})`);
  }
}
