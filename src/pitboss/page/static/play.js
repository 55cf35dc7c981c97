// Play: any game against bots, alone or several people at one screen, who hand it over where cards are secret.

import { make } from "./dom.js";
import { formatKey, freshKey, parseKey } from "./keys.js";
import { gameNameOf, gameOf, presetOf } from "./games.js";
import { packGame } from "./packed.js";
import { PlayTable } from "./play-table.js";
import { seatForm, usualSeats } from "./seating.js";
import { keep, recall } from "./store.js";
import { t } from "./texts.js";

const SAVED = "game"; // the game on this device: {preset, seats, key, moves}

/** #/play chooses, #/play/flip7:official deals at once, #/play/continue goes on where somebody left. */
export async function playPage(root, [what], query) {
  if (what === "continue" && recall(SAVED)) return resume(root, recall(SAVED));
  if (what && what !== "continue") {
    const preset = presetOf(what).text;
    const seed = query.get("seed");
    return begin(root, preset, await usualSeats(preset), seed ? parseKey(seed) : freshKey());
  }
  const saved = recall(SAVED);
  const form = await seatForm(saved?.preset ?? "", (preset, seats) => begin(root, preset, seats, freshKey()));
  if (saved && saved.moves.length && !saved.over) {
    form.querySelector("h1").after(make("a", { class: "button", href: "#/play/continue" }, t("play.continue", { game: presetOf(saved.preset).fullTitle })));
  }
  root.replaceChildren(form);
  let table = null;
  root.addEventListener("dealt", (event) => (table = event.detail));
  return () => table?.leave();
}

async function begin(root, preset, seats, key) {
  return open(root, { preset, seats, key: formatKey(key), moves: [] });
}

const resume = (root, saved) => open(root, saved);

/** Show a table, with all moves that were made already. */
async function open(root, saved) {
  const game = await gameOf(gameNameOf(saved.preset));
  const save = (session, over) => keep(SAVED, { ...saved, moves: session.moves, over });
  const table = new PlayTable(root, game, saved, {
    save,
    again: (key) => open(root, { ...saved, key: formatKey(key ?? freshKey()), moves: [] }),
    link: (session) => `#/replay/${packGame(session)}`,
  });
  root.dispatchEvent(new CustomEvent("dealt", { detail: table }));
  table.begin();
  return () => table.leave();
}
