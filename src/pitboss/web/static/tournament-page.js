// A tournament: the table once, or again and again while it is played, by whomever.

import { complaints, fillTable, get, make, paragraph, parts, percent, post, sentence, span, whole } from "./api.js";
import { hostToken, runToken } from "./token.js";

const main = document.querySelector("[data-tournament]");
const id = main.dataset.tournament;
const part = parts(main);
const complain = complaints(part.problem);
const token = hostToken() || runToken(id);
const mayRun = main.dataset.runs === "yes";
const button = (name) => main.querySelector(`[data-do=${name}]`);
const signed = (x) => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(2)}`;

/** The shares that the picture has room for: from the lowest to the highest of all intervals. */
function scale(lines) {
  const ends = lines.filter((line) => line.matches).flatMap((line) => line.ci95 ?? [line.win_share]);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = Math.max(high - low, 0.02);
  return (share) => 4 + (92 * (share - low)) / room; // percent of the width
}

/** A share with its interval, drawn. */
function whisker(line, at) {
  const out = make("span", { class: "whisker", "aria-hidden": "true" });
  const [low, high] = line.ci95 ?? [line.win_share, line.win_share];
  const bar = make("i"), dot = make("b");
  bar.style.left = `${at(low)}%`;
  bar.style.width = `${at(high) - at(low)}%`;
  dot.style.left = `${at(line.win_share)}%`;
  out.append(bar, dot);
  return out;
}

function standing(line, number, at) {
  const faults = Object.entries(line.faults).map(([kind, n]) => `${n} × ${kind}`).join(", ");
  const name = make("a", { href: `/tournaments/${encodeURIComponent(id)}/bots/${number}` }, line.name);
  const known = line.matches > 0;
  return make("tr", { "data-bot": line.name },
    make("td", { class: "num" }, `${line.rank}`),
    make("th", { scope: "row" }, name, line.steady === false ? make("span", { class: "tag", title: "It made different moves when the same game was played again." }, "unsteady") : null),
    make("td", { class: "num" }, known ? percent(line.win_share) : "–", make("br"), make("small", {}, known ? span(line.ci95, percent) : "")),
    make("td", {}, known ? whisker(line, at) : ""),
    make("td", { class: "num" }, line.rank_ci95 ? [...new Set(line.rank_ci95)].join(" to ") : ""),
    make("td", { class: "num" }, whole(line.matches), make("br"), make("small", {}, `${whole(line.wins)} won`)),
    make("td", { class: "num" }, signed(line.strength), make("br"), make("small", {}, span(line.strength_ci95, signed))),
    make("td", { class: "num" }, line.p_best === null ? "–" : percent(line.p_best)),
    make("td", { class: "num" }, line.mean_score.toFixed(1)),
    make("td", { class: "num", title: faults }, Object.values(line.faults).reduce((a, b) => a + b, 0) || ""));
}

const HEADS = [["#", "num"], ["bot", ""], ["matches won", "num"], ["95 %", ""], ["ranks", "num"], ["matches", "num"], ["strength", "num"], ["best of all", "num"], ["points in a game", "num"], ["faults", "num"]];

function versus({ rows, names, wins, meetings }) {
  const head = make("tr", {}, make("td", { class: "self" }), ...rows.map((line) => make("th", { scope: "col", title: line.name }, `${line.rank}`)));
  const entry = rows.map((line) => names.indexOf(line.name));
  const lines = rows.map((line, i) => make("tr", {}, make("th", { scope: "row", title: line.name }, `${line.rank}  ${line.name}`), ...rows.map((other, j) => {
    const [a, b] = [entry[i], entry[j]];
    const met = meetings[a][b];
    if (a === b || !met) return make("td", { class: "self" }, a === b ? "" : "–");
    const share = wins[a][b] / met;
    const cell = make("td", { title: `${line.name} before ${other.name}: ${whole(wins[a][b])} of ${whole(met)}` }, (100 * share).toFixed(0));
    cell.style.setProperty("--shade", share < 0.5 ? "var(--lose)" : "var(--win)");
    cell.style.setProperty("--much", `${Math.min(75, Math.abs(share - 0.5) * 150).toFixed(0)}%`);
    return cell;
  })));
  part.versus.replaceChildren(make("caption", { class: "unseen" }, "Head to head, in percent"), make("thead", {}, head), make("tbody", {}, ...lines));
}

function show(seen) {
  const { table } = seen;
  const at = scale(table.rows);
  main.dataset.state = table.finished ? "finished" : seen.moving ? "moving" : "resting";
  main.dataset.matches = table.matches;
  part.facts.textContent = `${seen.title} · ${table.rows.length} bots · ${whole(table.games)} games · ${new Date(table.created).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}`;
  part.state.textContent = table.finished ? `Finished: ${whole(table.matches)} matches.`
    : `${seen.moving ? "Being played" : "Unfinished, and nobody seems to play it now"}: ${whole(table.matches)} of ${whole(table.matches_planned)} matches.`;
  part.progress.hidden = table.finished && main.dataset.seen !== "moving"; // what was seen to grow stays, full
  main.dataset.seen ??= table.finished ? "finished" : "moving";
  part.progress.value = table.matches_planned ? table.matches / table.matches_planned : 0;
  part.warnings.replaceChildren(...seen.warnings.map((text) => make("p", { class: "callout" }, sentence(text))));
  fillTable(part.table, HEADS, table.rows.map((line) => standing(line, table.names.indexOf(line.name), at)));
  part.statements.replaceChildren(...seen.statements.map((text) => make("li", {}, table.names.some((name) => text.startsWith(`${name} `)) ? `${text}.` : sentence(text))));
  versus(table);
  why(table);
  part.settings.replaceChildren(...[...seen.settings, ["key", table.key ?? "told when all is played"], ["its hash (SHA-256)", table.key_hash]]
    .flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]));
}

/** A line for each bot, which says why it won or lost when it is opened. */
function why(table) {
  const shown = table.matches ? table.rows : [];
  if (shown.length === part.why.childElementCount) return;
  part.why.replaceChildren(...shown.map((line) => {
    const address = `/tournaments/${encodeURIComponent(id)}/bots/${table.names.indexOf(line.name)}`;
    const words = make("p", { "aria-live": "polite" }, "Looking at its games …");
    const box = make("details", { "data-why": line.name }, make("summary", {}, `${line.rank}. ${line.name}`), words);
    box.addEventListener("toggle", async () => {
      try {
        const found = await get(`/api${address}/profile`);
        words.replaceChildren(paragraph(found.words, line.name), " ", make("a", { href: address }, `More about ${line.name}`));
      } catch (problem) {
        words.textContent = sentence(problem.message);
      }
    }, { once: true });
    return box;
  }));
}

/** Whether this server plays it, and what can be done about that. */
async function control(finished) {
  if (!mayRun) return;
  const run = await get(`/api/tournaments/${id}/run`, { token });
  part.control.hidden = finished || !run.mine;
  button("stop").hidden = !run.running;
  button("resume").hidden = run.running || finished;
  complain(run.complaint);
}

function follow() {
  let was = null;
  const source = new EventSource(`/api/tournaments/${id}/live`);
  source.addEventListener("message", (event) => {
    const seen = JSON.parse(event.data);
    show(seen);
    if (was !== main.dataset.state) control(seen.table.finished).catch((problem) => complain(problem.message));
    was = main.dataset.state;
  });
  source.addEventListener("end", () => source.close());
}

for (const name of ["resume", "stop"])
  button(name).addEventListener("click", async () => {
    button(name).disabled = true;
    try {
      await post(`/api/tournaments/${id}/${name}`, {}, { token });
      await control(false);
    } catch (problem) {
      complain(problem.message);
    }
    button(name).disabled = false;
  });

try {
  const seen = await get(`/api/tournaments/${id}`);
  show(seen);
  if (!seen.table.finished) follow();
} catch (problem) {
  part.facts.textContent = part.state.textContent = "";
  main.dataset.state = "failed";
  complain(problem.message);
}
