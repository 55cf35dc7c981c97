// A tournament: the table once, or again and again while it is played, by whomever.

import { get, make, parts, percent, post, sentence } from "./api.js";
import { hostToken, runToken } from "./token.js";

const main = document.querySelector("[data-tournament]");
const id = main.dataset.tournament;
const part = parts(main);
const token = hostToken() || runToken(id);
const mayRun = main.dataset.runs === "yes";
const button = (name) => main.querySelector(`[data-do=${name}]`);
const whole = new Intl.NumberFormat("en");
const span = (interval, form) => (interval ? `${form(interval[0])} to ${form(interval[1])}` : "");
const signed = (x) => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(2)}`;

function complain(text) {
  part.problem.hidden = !text;
  part.problem.textContent = text ? sentence(text) : "";
}

/** The shares that the picture has room for: from the lowest to the highest of all intervals. */
function scale(lines) {
  const ends = lines.filter((line) => line.matches).flatMap((line) => line.share_ci95 ?? [line.share]);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = Math.max(high - low, 0.02);
  return (share) => 4 + (92 * (share - low)) / room; // percent of the width
}

/** A share with its interval, drawn. */
function whisker(line, at) {
  const out = make("span", { class: "whisker", "aria-hidden": "true" });
  const [low, high] = line.share_ci95 ?? [line.share, line.share];
  const bar = make("i"), dot = make("b");
  bar.style.left = `${at(low)}%`;
  bar.style.width = `${at(high) - at(low)}%`;
  dot.style.left = `${at(line.share)}%`;
  out.append(bar, dot);
  return out;
}

function standing(line, at) {
  const faults = Object.entries(line.faults).map(([kind, n]) => `${n} × ${kind}`).join(", ");
  const name = make("a", { href: `/tournaments/${encodeURIComponent(id)}/bots/${line.number}` }, line.name);
  const known = line.matches > 0 && line.share !== null;
  return make("tr", { "data-bot": line.name },
    make("td", { class: "num" }, `${line.rank}`),
    make("th", { scope: "row" }, name, line.steady === false ? make("span", { class: "tag", title: "Asked the same again, it played otherwise." }, "unsteady") : null),
    make("td", { class: "num" }, known ? percent(line.share) : "–", make("br"), make("small", {}, known ? span(line.share_ci95, percent) : "")),
    make("td", {}, known ? whisker(line, at) : ""),
    make("td", { class: "num" }, line.ranks ? [...new Set(line.ranks)].join(" to ") : ""),
    make("td", { class: "num" }, whole.format(line.matches), make("br"), make("small", {}, `${whole.format(line.wins)} won`)),
    make("td", { class: "num" }, line.strength === null ? "–" : signed(line.strength), make("br"), make("small", {}, span(line.strength_ci95, signed))),
    make("td", { class: "num" }, line.p_best === null ? "–" : percent(line.p_best)),
    make("td", { class: "num" }, line.score === null ? "–" : line.score.toFixed(1)),
    make("td", { class: "num", title: faults }, Object.values(line.faults).reduce((a, b) => a + b, 0) || ""));
}

const HEADS = [["#", "num"], ["bot", ""], ["matches won", "num"], ["95 %", ""], ["ranks", "num"], ["matches", "num"], ["strength", "num"], ["best of all", "num"], ["points in a game", "num"], ["faults", "num"]];

function versus(seen) {
  const head = make("tr", {}, make("td", { class: "self" }), ...seen.lines.map((line) => make("th", { scope: "col", title: line.name }, `${line.rank}`)));
  const rows = seen.lines.map((line, a) => make("tr", {}, make("th", { scope: "row", title: line.name }, `${line.rank}  ${line.name}`), ...seen.lines.map((other, b) => {
    const met = seen.meetings[a][b];
    if (a === b || !met) return make("td", { class: "self" }, a === b ? "" : "–");
    const share = seen.wins[a][b] / met;
    const cell = make("td", { title: `${line.name} before ${other.name}: ${whole.format(seen.wins[a][b])} of ${whole.format(met)}` }, (100 * share).toFixed(0));
    cell.style.setProperty("--shade", share < 0.5 ? "var(--lose)" : "var(--win)");
    cell.style.setProperty("--much", `${Math.min(75, Math.abs(share - 0.5) * 150).toFixed(0)}%`);
    return cell;
  })));
  part.versus.replaceChildren(make("caption", { class: "unseen" }, "Head to head, in percent"), make("thead", {}, head), make("tbody", {}, ...rows));
}

function show(seen) {
  const at = scale(seen.lines);
  main.dataset.state = seen.finished ? "finished" : seen.moving ? "moving" : "resting";
  main.dataset.matches = seen.matches;
  part.facts.textContent = `${seen.game} · ${seen.lines.length} bots · ${whole.format(seen.games)} games · ${seen.created.replace("T", " ").replace("+00:00", " UTC")}`;
  part.state.textContent = seen.finished ? `Finished: ${whole.format(seen.matches)} matches.`
    : `${seen.moving ? "Being played" : "Unfinished, and nobody seems to play it now"}: ${whole.format(seen.matches)} of ${whole.format(seen.planned)} matches.`;
  part.progress.hidden = seen.finished;
  part.progress.value = seen.planned ? seen.matches / seen.planned : 0;
  part.warnings.replaceChildren(...seen.warnings.map((text) => make("p", { class: "callout" }, sentence(text))));
  part.table.replaceChildren(make("thead", {}, make("tr", {}, ...HEADS.map(([text, kind]) => make("th", { scope: "col", class: kind }, text)))),
    make("tbody", {}, ...seen.lines.map((line) => standing(line, at))));
  part.statements.replaceChildren(...seen.statements.map((text) => make("li", {}, `${text}.`)));
  versus(seen);
  const key = seen.key === null ? [["key", "told when all is played"]] : [["key", seen.key]];
  part.settings.replaceChildren(...[...seen.settings, ...key, ["its hash (SHA-256)", seen.key_hash]]
    .flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]));
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
    if (was !== main.dataset.state) control(seen.finished).catch((problem) => complain(problem.message));
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
  if (!seen.finished) follow();
} catch (problem) {
  part.state.textContent = "";
  complain(problem.message);
}
