// Replay: a game step by step, from a file or from a link, with its blunders marked.

import { make } from "./dom.js";
import { GAMES, gameNameOf, gameOf, presetOf } from "./games.js";
import { unpackGame } from "./packed.js";
import { ReplayTable } from "./replay-table.js";
import { Session } from "./session.js";
import { DEALER } from "./engine.js";
import { recall } from "./store.js";
import { t } from "./texts.js";

const FORMAT = "pitboss-record";

/** #/replay asks for a game, #/replay/PACKED has one; ?step=17 begins there. */
export async function replayPage(root, [packed], query) {
  if (packed) return show(root, await unpackGame(packed, t("replay.damaged")), query);
  const problem = make("p", { class: "callout", role: "alert", hidden: true });
  let leave = () => null;
  const read = async (file) => {
    try {
      leave = show(root, await sessionOf(JSON.parse(firstRecord(await file.text()))), query);
    } catch (refused) {
      problem.hidden = false;
      problem.textContent = `${t("replay.damaged")}: ${refused.message}`;
    }
  };
  const input = make("input", { type: "file", id: "record", class: "unseen", accept: ".json,.jsonl,application/json", onchange: () => input.files[0] && read(input.files[0]) });
  const zone = make("label", { class: "drop-zone", for: "record", ondragover: (event) => event.preventDefault(), ondrop: (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0]) read(event.dataTransfer.files[0]);
  } }, make("span", { class: "sign", "aria-hidden": "true" }, "↻"), make("b", {}, t("replay.choose")), make("span", { class: "soft" }, t("replay.lead")));
  const saved = recall("game");
  root.replaceChildren(make("div", { class: "column" }, make("h1", {}, t("replay.title")), input, zone, problem,
    saved?.over ? make("button", { type: "button", class: "big", onclick: async () => (leave = show(root, await lastGame(saved), query)) }, t("replay.last")) : null));
  return () => leave();
}

function show(root, session, query) {
  const table = new ReplayTable(root, session, Number(query.get("step") ?? 0));
  return () => table.leave();
}

/** The game that was played here last. */
async function lastGame({ preset, seats, moves }) {
  const session = new Session(await gameOf(gameNameOf(preset)), { preset, names: seats.map((seat) => seat.name) });
  for (const move of moves) session.apply(move);
  return session;
}

/** A file may hold one record, or a line for each. */
const firstRecord = (text) => (text.trim().includes("\n") && text.trim().split("\n")[0].trim().endsWith("}") ? text.trim().split("\n")[0] : text);

/** A record as `pitboss play --record` writes it. */
export async function sessionOf(record) {
  if (record?.format !== FORMAT) throw new Error(t("replay.format"));
  const name = gameNameOf(record.game);
  if (presetOf(record.game).text !== record.game || !GAMES.some((game) => game.name === name)) throw new Error(t("replay.unknown", { game: record.game }));
  const game = await gameOf(name);
  const { cards, moves } = game.description.words.notation;
  const session = new Session(game, { preset: record.game, names: labels(record.seats) });
  const dealt = record.cards.split(" ").filter(Boolean), made = record.moves.split(" ").filter(Boolean);
  while (!session.position.over && (session.position.toAct === DEALER ? dealt : made).length) {
    const dealing = session.position.toAct === DEALER;
    const word = (dealing ? dealt : made).shift().replaceAll("~", " ");
    const move = (dealing ? cards : moves).indexOf(word);
    if (move < 0) throw new Error(t("replay.word", { word }));
    session.apply(move);
  }
  return session;
}

/** Names that tell all seats apart. */
const labels = (names) => names.map((name, i) => (names.filter((other) => other === name).length > 1 ? `${name} (${i})` : name));
