// The front page: what can be done here, and a hand dealt with one tap.

import { cardPicture } from "./cards.js";
import { make, sentence } from "./dom.js";
import { GAMES } from "./games.js";
import { recall } from "./store.js";
import { t } from "./texts.js";

const HAND = [["3"], ["8"], ["12"], ["5"], ["7"], ["+4", "modifier"], ["×2", "modifier"]].map(([text, kind = "number"]) => ({ text, kind, name: "", faded: false }));

export function homePage(root) {
  const saved = recall("game");
  const first = GAMES[0];
  root.replaceChildren(
    make("section", { class: "hero" },
      make("div", { class: "hero-words" }, make("h1", {}, t("home.title")), make("p", { class: "lead" }, t("home.lead")),
        make("div", { class: "line" },
          ...GAMES.map((game) => make("a", { class: game === first ? "button main big" : "button big", href: `#/play/${game.presets[0].text}` }, t("home.play", { game: game.title }))),
          saved && saved.moves.length && !saved.over ? make("a", { class: "button big", href: "#/play/continue" }, t("home.continue")) : null)),
      fan()),
    make("ul", { class: "doors" }, ...["play", "advice", "train", "lab", "replay"].map((each) =>
      make("li", {}, make("a", { href: `#/${each}` }, make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[each]), make("h2", {}, t(`nav.${each}`)), make("p", {}, t(each === "play" ? "nav.play.about" : `home.${each}`)))))),
    make("section", { class: "column wide games" }, make("h2", {}, t("home.games")), make("ul", { class: "game-list" }, ...GAMES.map((game) =>
      make("li", { class: "card" }, make("h3", {}, game.title), make("p", { class: "soft" }, sentence(game.about)), make("ul", { class: "chips" }, ...game.presets.map((preset) =>
        make("li", {}, make("a", { href: `#/play/${preset.text}`, title: preset.about }, preset.title))))))),
    make("p", { class: "soft small" }, t("home.private"))));
}

const SIGNS = { play: "♠", advice: "?", train: "◎", lab: "∿", replay: "↻" };

/** A hand of cards, for the eye only. */
function fan() {
  return make("div", { class: "fan", "aria-hidden": "true" }, ...HAND.map((face, i) => {
    const card = make("span", { class: "fan-card" }, cardPicture(face, { width: 116 }));
    card.style.setProperty("--turn", `${(i - (HAND.length - 1) / 2) * 9}deg`);
    return card;
  }));
}
