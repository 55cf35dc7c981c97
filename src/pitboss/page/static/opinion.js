// What somebody who knows says of a decision: what to do, and what each move is worth.

import { make } from "./dom.js";
import { number, share, t } from "./texts.js";

const FEW = 8; // moves that are listed; the rest on demand

/** The moves that can be the best: of measured ones those that were not dropped on the way for being worse. */
function contenders({ moves }) {
  const most = Math.max(...moves.map((each) => each.rollouts ?? 0));
  return moves.filter((each) => (each.rollouts ?? 0) === most);
}

/** What a move gives away, compared with the one of most value; nothing for one that nobody rated. */
export function lost(said, move) {
  const value = said.moves.find((each) => each.move === move)?.value;
  return value === undefined ? 0 : Math.max(0, Math.max(...contenders(said).map((each) => each.value)) - value);
}

/** Whether a move gives much away, for certain, and does not win more often for that. */
export function isBlunder(said, move) {
  const behind = said.moves.find((each) => each.move === move)?.behind;
  return lost(said, move) >= said.grave && move !== said.best && (!behind || behind[0] > 0);
}

/** A value as people read it. */
export const worthText = (said, value) => (said.percent ? share(value, 1) : number(Math.round(value * 100) / 100, 2));

/** What was lost, with its unit. */
export const lostText = (said, value) => (said.percent ? share(value, 1) : `${worthText(said, value)} ${said.unit}`);

/** What was lost in several decisions, {lost, unit, percent} each: a sum for each unit. */
export function sumText(entries) {
  const units = new Map();
  for (const each of entries) {
    const key = each.percent ? "%" : each.unit;
    units.set(key, { ...each, lost: (units.get(key)?.lost ?? 0) + each.lost });
  }
  return [...units.values()].map((each) => lostText(each, each.lost)).join(" + ");
}

/** An opinion as nodes: the answer first. `label` says what a move is. */
export function drawOpinion(said, label, played = null) {
  if (!said) return [make("p", { class: "soft" }, t("opinion.none"))];
  const best = label(said.best);
  const ranked = [...said.moves].sort((a, b) => (b.move === said.best) - (a.move === said.best) || b.value - a.value);
  const win = !said.percent && said.moves.some((each) => each.win !== null && each.win !== undefined);
  const most = Math.max(...said.moves.map((each) => Math.abs(each.value)), 1e-9);
  const rows = ranked.map((each) => {
    const bar = make("i");
    bar.style.width = `${Math.max(2, (100 * Math.max(0, each.value)) / most)}%`;
    return make("tr", { class: each.move === said.best ? "best" : "", "data-worth": each.move },
      make("th", { scope: "row" }, label(each.move), each.move === played ? make("span", { class: "tag" }, t("opinion.played")) : null),
      make("td", { class: "meter", "aria-hidden": "true" }, bar),
      make("td", { class: "num", "data-value": each.value }, worthText(said, each.value), each.ci95 ? ` ± ${worthText(said, (each.ci95[1] - each.ci95[0]) / 2)}` : ""),
      ...(win ? [make("td", { class: "num", "data-win": each.win }, each.win === null || each.win === undefined ? "" : share(each.win, 1))] : []));
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
