// A hint drawn: what each move is worth, and how likely each next card is.

import { make, percent, sentence } from "./api.js";

const FEW = 9; // cards, or moves, that are listed; the rest on demand

/** Show what is known at once, and then, where there are any, the chances to win. `ask` takes the query. */
export async function hintInSteps(ask, show) {
  const quick = await ask({});
  show(quick);
  if (quick?.more) show(await ask({ chances: true }));
}

export function drawHint(hint, played = null) {
  const out = hint.advice ? [make("p", {}, make("strong", {}, hint.advice))] : [];
  if (hint.worth.length) {
    out.push(worth(hint, played), make("p", { class: "soft small" }, sentence(`in ${hint.unit}, ${hint.how}`)));
    if (hint.worth.some((each) => each.win !== null && each.win !== each.value)) {
      out.push(make("p", { class: "soft small" }, "Chances to win are by a model of the other players."));
    }
  }
  if (hint.note) out.push(make("p", { class: "soft small", role: "status" }, sentence(hint.note)));
  if (hint.more) out.push(make("p", { class: "soft small", role: "status" }, "Chances to win are being worked out …"));
  out.push(...hint.odds.slice(0, hint.coming.length ? 1 : undefined).map((line) => make("p", { class: "odds-line" }, sentence(line))));
  if (hint.coming.length) out.push(coming(hint.coming));
  return out;
}

function worth(hint, played) {
  const only = hint.worth.every((each) => each.win === each.value); // in chances to win, and nothing else
  const digits = Math.max(...hint.worth.map((each) => Math.abs(each.value))) < 2 ? 2 : 1;
  const win = hint.worth.some((each) => each.win !== null);
  const form = (x) => hint.percent ? percent(x) : x.toFixed(digits);
  const value = (each) => form(each.value) + (each.ci95 ? ` ± ${form((each.ci95[1] - each.ci95[0]) / 2)}` : "");
  const cells = (each) => [
    ...(only ? [] : [make("td", { class: "num" }, value(each))]),
    ...(win ? [make("td", { class: "num" }, each.win === null ? "" : percent(each.win))] : []),
  ];
  const many = hint.worth.length > FEW + 2; // then the best come first
  const ranked = many ? [...hint.worth].sort((a, b) => b.best - a.best || b.rollouts - a.rollouts || b.value - a.value) : hint.worth;
  const rows = ranked.map((each) => make("tr", { class: each.best ? "best" : "" },
    make("th", { scope: "row" }, each.text), ...cells(each),
    make("td", {}, [each.best ? "★ best" : "", each.move === played ? "played" : ""].filter(Boolean).join(", "))));
  const head = make("thead", {}, make("tr", {}, make("td"),
    ...(only ? [] : [make("th", { scope: "col", class: "num" }, hint.unit.split(" (")[0])]),
    make("th", { scope: "col", class: "num" }, "to win"), make("td")));
  const list = (some) => make("table", { class: "plain worth" },
    make("caption", { class: "unseen" }, "What each move is worth"), ...(win ? [head.cloneNode(true)] : []), make("tbody", {}, ...some));
  if (!many) return list(rows);
  const shown = rows.filter((_, i) => i < FEW || ranked[i].move === played), rest = rows.filter((row) => !shown.includes(row));
  return make("div", {}, list(shown), make("details", {}, make("summary", {}, `${rest.length} more`), list(rest)));
}

function coming(cards) {
  const most = Math.max(...cards.map((card) => card.chance));
  const bars = cards.map((card) => {
    const bar = make("i", { class: card.harm ? "bar harm" : "bar" });
    bar.style.width = `${(100 * card.chance) / most}%`;
    return make("li", {}, make("b", {}, card.face.kind === "action" ? card.face.name : card.face.text),
      make("span", { class: "track" }, bar), make("span", { class: "num" }, percent(card.chance)), make("span", { class: "harm-text" }, card.harm));
  });
  const list = (some) => make("ul", { class: "coming", "aria-label": "What may come next" }, ...some);
  if (bars.length <= FEW + 2) return list(bars);
  return make("div", {}, list(bars.slice(0, FEW)), make("details", {}, make("summary", {}, `${bars.length - FEW} more`), list(bars.slice(FEW))));
}
