// One bot of a tournament: figures, what it gave away, faults, and games to look at.

import { complaints, fillTable, get, make, paragraph, parts, percent, sentence, span, whole } from "./api.js";

const main = document.querySelector("[data-tournament]");
const { tournament: id, number } = main.dataset;
const part = parts(main);
const complain = complaints(part.problem);
const address = `/api/tournaments/${id}/bots/${number}`;
const at95 = (interval, form) => (interval ? `95 %: ${span(interval, form)}` : "");
const fixed = (x) => x.toFixed(1);
const replay = (game, step) => `/replay/${id}/${game}${step === undefined ? "" : `?move=${step}`}`;
let offset = 0;

function figure(name, value, more) {
  return make("div", {}, make("dt", {}, name), make("dd", {}, value, make("small", {}, more)));
}

function show(seen) {
  const { row: line, times } = seen;
  main.dataset.state ??= "looking";
  document.title = `${line.name} in ${id}: pitboss`;
  part.name.textContent = line.name;
  part.facts.textContent = [seen.title, line.kind, line.version && `version ${line.version}`, seen.finished ? "" : "not finished yet"].filter(Boolean).join(" · ");
  part.figures.replaceChildren(
    figure("rank", `${line.rank}`, line.p_best === null ? "" : `the best of all with ${percent(line.p_best)}`),
    figure("matches won", percent(line.win_share), at95(line.ci95, percent)),
    figure("matches", whole(line.matches), `${whole(line.wins)} won, ${whole(line.draws)} shared`),
    figure("points in a game", fixed(line.mean_score), at95(line.score_ci95, fixed)),
    figure("a decision", times.ms_most ? `${times.ms_per_decision.toFixed(2)} ms` : "–", times.ms_most ? `${fixed(times.ms_most)} ms at most` : "built in"),
  );
  const kinds = new Map(seen.faults.map((fault) => [fault.kind, fault.count]));
  part.faults.replaceChildren(seen.faults.length ? make("p", {}, sentence([...kinds].map(([kind, count]) => `${count} × ${kind}`).join(", "))) : make("p", { class: "soft" }, "None."),
    make("ul", { class: "words" }, ...seen.faults.map((fault) => make("li", {}, make("strong", {}, fault.kind), `: ${fault.text} `, make("a", { href: replay(fault.game) }, `game ${fault.game}`)))));
  fillTable(part.games, [["game", "num"], ["at the table"], ["place", "num"], ["points", "num"], ["result"], ["faults", "num"]], seen.games.map((game) => make("tr", {},
    make("td", { class: "num" }, make("a", { href: replay(game.number) }, `${game.number}`)),
    make("td", {}, game.players.map((name, seat) => (seat === game.seat ? `▸${name}` : name)).join(" · ")),
    make("td", { class: "num" }, `${game.place}`), make("td", { class: "num" }, `${game.score}`),
    make("td", {}, game.won === 1 ? "won" : game.won > 0 ? "shared" : "lost"),
    make("td", { class: "num" }, game.faults || ""))));
  part.shown.textContent = seen.all_games ? `${whole(offset + 1)} to ${whole(offset + seen.games.length)} of ${whole(seen.all_games)}, the newest first` : "None has been played yet.";
  main.querySelector("[data-do=newer]").disabled = offset === 0;
  main.querySelector("[data-do=older]").disabled = offset + seen.games.length >= seen.all_games;
  return seen;
}

function showProfile(found) {
  part.words.textContent = paragraph(found.words, part.name.textContent) || "It has played no game yet.";
  const shown = [...found.figures, ...found.moves];
  fillTable(part.beside, [[""], ["this bot", "num"], ["the others", "num"], ["difference, 95 %", "num"]], shown.map((each) => {
    const form = each.percent ? percent : (x) => x.toFixed(2);
    const [low, high] = each.difference_ci95 ?? [0, 0];
    const text = each.difference_ci95 ? `${form(low)} to ${form(high)}` : "–";
    return make("tr", {}, make("th", { scope: "row" }, each.about), make("td", { class: "num" }, form(each.mean)),
      make("td", { class: "num" }, form(each.others)), make("td", { class: "num" }, low * high > 0 ? make("strong", {}, text) : text));
  }));
  fillTable(part.where, [[""], ["share", "num"], ["95 %", "num"], ["games", "num"]], [...found.seats, ...found.opponents.map((each) => ({ ...each, name: `before ${each.name}` }))].map((each) => make("tr", {},
    make("th", { scope: "row" }, each.name), make("td", { class: "num" }, percent(each.share)),
    make("td", { class: "num" }, each.ci95 ? `${percent(each.ci95[0])} to ${percent(each.ci95[1])}` : "–"), make("td", { class: "num" }, whole(each.games)))));
  showVerdicts(found.verdicts, found.games);
}

function showVerdicts(found, games) {
  const digits = found.lost < 0.1 ? 3 : 2;
  const form = found.percent ? percent : (x) => x.toFixed(digits);
  main.dataset.judged = found.judged;
  if (!found.unit) {
    part.lost.textContent = games ? "Nothing can be said about its decisions." : "It has played no game yet.";
    return;
  }
  part.lost.textContent = `It gave away ${form(found.lost)} ${found.percent ? "of the win" : found.unit.split(" (")[0]} in a game${found.lost_ci95 ? ` (${at95(found.lost_ci95, form)})` : ""}: ${whole(found.judged)} of its ${whole(found.decisions)} decisions were judged, drawn at random.`;
  part.how.textContent = sentence(`in ${found.unit}, ${found.how}`);
  part["mistakes-box"].hidden = !found.worst.length;
  fillTable(part.mistakes, [["cost", "num"], ["before it"], ["played"], ["better"], [""]], found.worst.map((each) => make("tr", {},
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
main.dataset.state ??= "failed";
try {
  showProfile(await get(`${address}/profile`));
} catch (problem) {
  part.words.textContent = sentence(problem.message);
  part.lost.textContent = "";
}
if (main.dataset.state === "looking") main.dataset.state = "told";
