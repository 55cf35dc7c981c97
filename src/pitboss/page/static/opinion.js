// What somebody who knows says of a decision: what to do, and what each move is worth.

import { make } from "./dom.js";
import { number, share, t } from "./texts.js";

const FEW = 8; // moves that are listed; the rest on demand

/** What a move gives away, compared with the one of most value. */
export const lost = (said, move) => Math.max(0, Math.max(...said.moves.map((each) => each.value)) - (said.moves.find((each) => each.move === move)?.value ?? Infinity));

/** Whether a move gives much away, and is not the best to win. */
export const isBlunder = (said, move) => move !== said.best && Number.isFinite(lost(said, move)) && lost(said, move) >= said.grave;

/** A value as people read it. */
export const worthText = (said, value) => (said.percent ? share(value, 1) : number(Math.round(value * 100) / 100, 2));

/** What was lost, with its unit. */
export const lostText = (said, value) => (said.percent ? share(value, 1) : `${worthText(said, value)} ${said.unit}`);

/** An opinion as nodes: the answer first. `label` says what a move is. */
export function drawOpinion(said, label, played = null) {
  if (!said) return [make("p", { class: "soft" }, t("opinion.none"))];
  const best = label(said.best);
  const ranked = [...said.moves].sort((a, b) => (b.move === said.best) - (a.move === said.best) || b.value - a.value);
  const win = said.moves.some((each) => each.win !== null && each.win !== undefined);
  const most = Math.max(...said.moves.map((each) => Math.abs(each.value)), 1e-9);
  const rows = ranked.map((each) => {
    const bar = make("i");
    bar.style.width = `${Math.max(2, (100 * Math.max(0, each.value)) / most)}%`;
    return make("tr", { class: each.move === said.best ? "best" : "" },
      make("th", { scope: "row" }, label(each.move), each.move === played ? make("span", { class: "tag" }, t("opinion.played")) : null),
      make("td", { class: "meter", "aria-hidden": "true" }, bar),
      make("td", { class: "num" }, worthText(said, each.value), each.ci95 ? ` ± ${worthText(said, (each.ci95[1] - each.ci95[0]) / 2)}` : ""),
      ...(win ? [make("td", { class: "num" }, each.win === null || each.win === undefined ? "" : share(each.win, 1))] : []));
  });
  const table = (some, first) => make("table", { class: "plain worth" },
    make("caption", { class: "unseen" }, t("opinion.worth")),
    ...(first ? [make("thead", {}, make("tr", {}, make("td"), make("td"), make("th", { scope: "col", class: "num" }, said.percent ? t("opinion.win") : said.unit),
      ...(win ? [make("th", { scope: "col", class: "num" }, t("opinion.win"))] : [])))] : []),
    make("tbody", {}, ...some));
  const shown = rows.slice(0, FEW), rest = rows.slice(FEW);
  return [
    make("p", { class: "verdict" }, sentenceOf(best)),
    table(shown, true),
    ...(rest.length ? [make("details", {}, make("summary", {}, t("more", { n: rest.length })), table(rest, false))] : []),
    ...(said.how ? [make("p", { class: "soft small" }, sentenceOf(said.how))] : []),
  ];
}

const sentenceOf = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."}`;
