// The games that ended on this device: how many were won, and what decisions gave away, by rule book and over time.

import { avatar, faces } from "/shared/avatar.js";
import { shareOf } from "/shared/intervals.js";
import { amount, download } from "/shared/story.js";
import { draw } from "/shared/svg.js";
import { fillTable, make, myName, parts, percent, whole } from "./api.js";
import { forgetResult, forgetResults, results } from "./results.js";

const part = parts(document.querySelector("[data-profile]"));
const button = (name) => document.querySelector(`[data-do=${name}]`);
const RECENT = 30; // games of a rule book that its curve shows

/** What a game was worth to its player: 1 won, shared wins less; null where several sat at this screen. */
const shareWon = ({ seat, winners }) => (seat === null ? null : winners.includes(seat) ? 1 / winners.length : 0);

/** The rule book of a game for people; what was kept without one has its text. */
const named = ({ title, game }) => title ?? game;

/** Games by rule book, those that are played most first. */
function books(games) {
  const found = new Map();
  for (const game of games) found.set(named(game), [...(found.get(named(game)) ?? []), game]);
  return [...found].sort((a, b) => b[1].length - a[1].length);
}

function row([name, games]) {
  const shares = games.map(shareWon).filter((share) => share !== null);
  const sum = shares.reduce((a, b) => a + b, 0), squares = shares.reduce((a, b) => a + b * b, 0);
  const won = shares.length ? shareOf(sum, squares, shares.length) : null;
  const alone = games.every((game) => game.names.length === 1);
  const mean = meanRegret(games);
  return make("tr", {}, make("th", { scope: "row" }, name), make("td", { class: "num" }, whole(games.length)),
    make("td", { class: "num" }, won && !alone ? percent(won.mean) : "–", make("br"), make("small", {}, won?.low != null && !alone ? `${percent(won.low)} to ${percent(won.high)}` : "")),
    make("td", { class: "num" }, mean ? amount(mean.lost, mean) : "–", make("br"), make("small", {}, mean ? `in ${whole(mean.games)} ${mean.games === 1 ? "game" : "games"}, estimated` : "")));
}

/** What a decision gave away on average, where that is known. */
function meanRegret(games) {
  const known = games.filter(({ regret }) => regret);
  const same = known.filter(({ regret }) => regret.unit === known[0].regret.unit);
  const decisions = same.reduce((total, { regret }) => total + regret.decisions, 0);
  if (!decisions) return null;
  return { ...known[0].regret, games: same.length, lost: same.reduce((total, { regret }) => total + regret.lost, 0) / decisions };
}

/** A curve of what a decision gave away, game by game, for a rule book with enough of them. */
function trend([name, games]) {
  const known = games.filter(({ regret }) => regret?.decisions).slice(0, RECENT).reverse();
  if (known.length < 2) return null;
  const values = known.map(({ regret }) => regret.lost / regret.decisions), most = Math.max(...values) || 1;
  const [width, height] = [320, 110], x = (i) => 8 + ((width - 16) * i) / (values.length - 1), y = (value) => 18 + (height - 34) * (1 - value / most);
  const spots = values.map((value, i) => draw("circle", { cx: x(i), cy: y(value), r: 3.5 }));
  const line = draw("path", { d: `M${values.map((value, i) => `${x(i)} ${y(value)}`).join("L")}` });
  const told = `${name}: ${values.map((value) => amount(value, known[0].regret)).join(", ")}`;
  return make("figure", { class: "trend" }, make("figcaption", {}, make("b", {}, name), make("br"), make("span", { class: "soft small" }, "a decision, game by game, estimated; less is better")),
    draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": told },
      draw("line", { class: "story-grid", x1: 8, x2: width - 8, y1: y(0), y2: y(0) }), draw("text", { class: "story-tick", x: 8, y: 11, "font-size": 11 }, amount(most, known[0].regret)), line, ...spots));
}

function game(each) {
  const result = each.names.map((name, i) => `${each.winners.includes(i) ? "★ " : ""}${name} ${each.scores[i]}`).join(", ");
  const day = new Date(each.when);
  return make("li", {}, make("a", { href: `/story/${each.id}` }, result), make("span", { class: "soft", title: each.game }, named(each)),
    make("time", { class: "soft small", datetime: each.when }, day.toLocaleString([], { dateStyle: "medium", timeStyle: "short" })),
    make("button", { type: "button", class: "quiet", "aria-label": `Forget the game of ${day.toLocaleString()}`, onclick: () => {
      forgetResult(each.id);
      show();
    } }, "Forget"));
}

function show() {
  const all = results(), grouped = books(all);
  const last = all.find(({ seat }) => seat !== null), name = myName() || (last?.names[last.seat] ?? "You");
  part.face.replaceChildren(avatar(faces([{ name, bot: false }])[0]));
  part.name.textContent = name === "You" ? "Your games" : `Games of ${name}`;
  part.empty.hidden = all.length > 0;
  for (const section of ["books", "all", "keep"]) part[section].hidden = all.length === 0;
  fillTable(part.table, [["rules", ""], ["games", "num"], ["won", "num"], ["given away in a decision", "num"]], grouped.map(row));
  const trends = grouped.map(trend).filter(Boolean);
  part.time.hidden = trends.length === 0;
  part.trends.replaceChildren(...trends);
  part.games.replaceChildren(...all.map(game));
}

button("export").addEventListener("click", () => {
  download(new Blob([JSON.stringify(results(), null, 1)], { type: "application/json" }), "pitboss-games.json");
});
button("forget").addEventListener("click", () => { part.sure.hidden = false; });
button("not").addEventListener("click", () => { part.sure.hidden = true; });
button("really").addEventListener("click", () => {
  forgetResults();
  part.sure.hidden = true;
  show();
});
show();
