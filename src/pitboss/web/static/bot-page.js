// One bot of a tournament: figures, what it gave away, faults, and games to look at.

import { get, make, parts, percent, sentence } from "./api.js";

const main = document.querySelector("[data-tournament]");
const { tournament: id, number } = main.dataset;
const part = parts(main);
const address = `/api/tournaments/${id}/bots/${number}`;
const whole = new Intl.NumberFormat("en");
const span = (interval, form) => (interval ? `95 %: ${form(interval[0])} to ${form(interval[1])}` : "");
const fixed = (x) => x.toFixed(1);
const replay = (game, step) => `/replay/${id}/${game}${step === undefined ? "" : `?move=${step}`}`;
let offset = 0;

function complain(text) {
  part.problem.hidden = !text;
  part.problem.textContent = text ? sentence(text) : "";
}

function figure(name, value, more) {
  return make("div", {}, make("dt", {}, name), make("dd", {}, value, make("small", {}, more)));
}

function table(element, heads, rows) {
  element.replaceChildren(
    make("thead", {}, make("tr", {}, ...heads.map(([text, kind]) => make("th", { scope: "col", class: kind ?? "" }, text)))),
    make("tbody", {}, ...rows));
}

function show(seen) {
  const { line } = seen;
  document.title = `${line.name} in ${id}: pitboss`;
  part.name.textContent = line.name;
  part.facts.textContent = [seen.game, line.kind, line.version && `version ${line.version}`, seen.finished ? "" : "not finished yet"].filter(Boolean).join(" · ");
  part.figures.replaceChildren(
    figure("rank", `${line.rank}`, line.p_best === null ? "" : `the best of all with ${percent(line.p_best)}`),
    figure("matches won", line.share === null ? "–" : percent(line.share), span(line.share_ci95, percent)),
    figure("matches", whole.format(line.matches), `${whole.format(line.wins)} won, ${whole.format(line.draws)} shared`),
    figure("points in a game", line.score === null ? "–" : fixed(line.score), span(line.score_ci95, fixed)),
    figure("a decision", line.ms_most ? `${line.ms_per_decision.toFixed(2)} ms` : "–", line.ms_most ? `${fixed(line.ms_most)} ms at most` : "built in"),
  );
  const kinds = new Map(seen.faults.map((fault) => [fault.kind, fault.count]));
  part.faults.replaceChildren(seen.faults.length ? make("p", {}, sentence([...kinds].map(([kind, count]) => `${count} × ${kind}`).join(", "))) : make("p", { class: "soft" }, "None."),
    make("ul", { class: "words" }, ...seen.faults.map((fault) => make("li", {}, make("strong", {}, fault.kind), `: ${fault.text} `, make("a", { href: replay(fault.game) }, `game ${fault.game}`)))));
  table(part.games, [["game", "num"], ["at the table"], ["place", "num"], ["points", "num"], ["result"], ["faults", "num"]], seen.games.map((game) => make("tr", {},
    make("td", { class: "num" }, make("a", { href: replay(game.number) }, `${game.number}`)),
    make("td", {}, game.players.map((name, seat) => (seat === game.seat ? `▸${name}` : name)).join(" · ")),
    make("td", { class: "num" }, `${game.place}`), make("td", { class: "num" }, `${game.score}`),
    make("td", {}, game.won === 1 ? "won" : game.won > 0 ? "shared" : "lost"),
    make("td", { class: "num" }, game.faults || ""))));
  part.shown.textContent = seen.all_games ? `${whole.format(offset + 1)} to ${whole.format(offset + seen.games.length)} of ${whole.format(seen.all_games)}, the newest first` : "None has been played yet.";
  main.querySelector("[data-do=newer]").disabled = offset === 0;
  main.querySelector("[data-do=older]").disabled = offset + seen.games.length >= seen.all_games;
  return seen;
}

function showMistakes(found) {
  const digits = found.lost < 0.1 ? 3 : 2;
  const form = (x) => x.toFixed(digits);
  main.dataset.judged = found.games;
  if (!found.unit) {
    part.lost.textContent = found.games ? "Nothing can be said about decisions in this game." : "It has played no game yet.";
    return;
  }
  part.lost.textContent = `In its first ${whole.format(found.games)} games of ${whole.format(found.of_games)} it gave away ${form(found.lost)} ${found.unit.split(" (")[0]} in a game${found.lost_ci95 ? ` (${span(found.lost_ci95, form)})` : ""}, with ${whole.format(found.decisions)} decisions.`;
  part.how.textContent = sentence(`in ${found.unit}, ${found.how}`);
  part["mistakes-box"].hidden = !found.worst.length;
  table(part.mistakes, [["cost", "num"], ["before it"], ["played"], ["better"], [""]], found.worst.map((each) => make("tr", {},
    make("td", { class: "num" }, form(each.lost)), make("td", {}, each.hand || "nothing"), make("td", {}, each.played), make("td", {}, each.better),
    make("td", {}, make("a", { href: replay(each.game, each.step) }, `game ${each.game}`)))));
}

async function games(by) {
  offset = Math.max(0, offset + by);
  try {
    show(await get(address, { query: { offset } }));
  } catch (problem) {
    complain(problem.message);
  }
}

main.querySelector("[data-do=newer]").addEventListener("click", () => games(-50));
main.querySelector("[data-do=older]").addEventListener("click", () => games(50));

await games(0);
try {
  showMistakes(await get(`${address}/mistakes`));
} catch (problem) {
  part.lost.textContent = sentence(problem.message);
}
