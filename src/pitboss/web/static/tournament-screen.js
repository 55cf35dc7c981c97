// A tournament as a show: standings that move, with their intervals, and the game that matters now. Nothing is asked of
// anybody, and a connection that is lost comes back by itself.

import { avatar, faces } from "/shared/avatar.js";
import { pause } from "/shared/motion.js";
import { unpack } from "/shared/player.js";
import { Table } from "/shared/table.js";
import { get, make, parts, percent, tidy, whole } from "./api.js";

const main = document.querySelector("[data-screen]");
const { screen: id } = main.dataset;
const part = parts(main);
const BACK = 4000; // milliseconds until a connection that was refused is tried again
const LEAST_STEP = 700, LOOK = 2600, REST = 6000; // milliseconds for a step, the end of a round, and the end of a game
const ROWS = 12; // at most
const table = new Table(part.table);
const lines = new Map(); // by name: the line of a bot
let looks = null, playing = null, marked = null;

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// --- standings ---

/** Shares as places on a line: all intervals fit. */
function scale(rows) {
  const ends = rows.filter((row) => row.matches).flatMap((row) => row.ci95 ?? [row.win_share]);
  const low = Math.min(...ends), room = Math.max(Math.max(...ends) - low, 0.02);
  return (share) => 3 + (94 * (share - low)) / room;
}

function lineOf(name) {
  if (!lines.has(name)) {
    const node = make("li", { "data-bot": name });
    lines.set(name, node);
    part.standings.append(node);
  }
  return lines.get(name);
}

function drawStandings({ table: found, apart, deciding }) {
  const { rows, names } = found, shown = rows.slice(0, ROWS), at = scale(rows), all = faces(names.map((name) => ({ name, bot: true })));
  const height = part.standings.clientHeight / Math.min(ROWS, rows.length);
  const step = Math.min(height, 0.13 * innerHeight);
  shown.forEach((row, i) => {
    const node = lineOf(row.name), whisker = make("span", { class: "show-whisker" });
    if (row.matches) {
      const [low, high] = row.ci95 ?? [row.win_share, row.win_share], bar = make("i"), dot = make("b");
      bar.style.left = `${at(low)}%`;
      bar.style.width = `${at(high) - at(low)}%`;
      dot.style.left = `${at(row.win_share)}%`;
      whisker.append(bar, dot);
    }
    const close = i + 1 < shown.length && row.matches ? make("span", { class: apart[i] ? "show-between" : "show-between close" }, apart[i] ? "clearly better than" : "too close to call") : "";
    node.replaceChildren(make("span", { class: "rank" }, `${row.rank}`), avatar(all[names.indexOf(row.name)]), make("span", { class: "name" }, row.name), whisker,
      make("span", { class: "share" }, row.matches ? percent(row.win_share) : "–"), close);
    node.classList.toggle("deciding", Boolean(deciding?.bots.includes(row.name)));
    node.style.transform = `translateY(${i * step}px)`;
    node.style.height = `${step}px`;
    node.style.zIndex = ROWS - i; // what stands between two lines lies above the lower one
  });
  for (const [name, node] of lines) if (!shown.some((row) => row.name === name)) { node.remove(); lines.delete(name); }
  const left = rows.length > ROWS ? `and ${rows.length - ROWS} more; ` : "";
  part.more.textContent = `${left}share of matches won, with its 95 % interval`;
}

function show(seen) {
  looks = seen;
  const { table: found } = seen;
  part.facts.textContent = `${found.finished ? "Finished" : seen.moving ? "Live" : "Resting"} · ${whole(found.matches)} of ${whole(found.matches_planned)} matches`;
  part.bar.value = found.matches_planned ? found.matches / found.matches_planned : 0;
  main.dataset.state = found.finished ? "finished" : "live";
  drawStandings(seen);
  if (!playing && found.matches) playing = playAlong();
}

// --- the game that matters ---

/** One game after the other: always the newest of the two that are closest to being told apart. */
async function playAlong() {
  for (;;) {
    const { deciding, table: found } = looks;
    const [a, b] = deciding?.bots ?? found.rows.slice(0, 2).map((row) => row.name);
    const game = deciding?.game ?? found.games - 1;
    part.title.textContent = b ? `${a} – ${b}` : a;
    part.why.textContent = deciding ? `Closest to a decision: about ${whole(deciding.games_to_tell)} games in all would tell them apart.`
      : looks.apart.every(Boolean) ? "All neighbours are told apart." : "Too close to call: more games than we can guess would be needed.";
    if (game !== marked) await playGame(game).catch(() => wait(BACK));
    marked = game;
    await wait(REST);
  }
}

async function playGame(number) {
  const replay = unpack(await get(`/api/replays/${id}/${number}`));
  table.forget();
  for (const scene of replay.scenes) table.reserve(scene);
  table.bots = replay.names.map(() => true);
  main.dataset.game = number;
  let before = null;
  for (const step of replay.steps) {
    const [scene] = step.scenes, [told] = step.events;
    table.draw(scene, before, (step.moments ?? [])[0]);
    before = scene;
    if (told.length) part.brief.textContent = tidy(told.at(-1)[0]);
    await wait(step.ends ? LOOK : Math.max(LEAST_STEP, pause()));
  }
}

// --- the wire ---

function follow() {
  const source = new EventSource(`/api/tournaments/${id}/live`);
  source.addEventListener("message", (event) => {
    part.lost.hidden = true;
    show(JSON.parse(event.data));
  });
  source.addEventListener("end", () => source.close());
  source.addEventListener("error", () => {
    if (looks?.table.finished) return;
    part.lost.hidden = false;
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, BACK);
  });
}

addEventListener("resize", () => looks && drawStandings(looks));
follow();
