// A finished game to step through. `?move=17` of the address is the step; below it stands what could be known there.

import { Table } from "/shared/table.js";
import { Player, unpack } from "/shared/player.js";
import { get, make, myName, percent, sentence } from "./api.js";
import { drawHint, hintInSteps } from "./hint.js";

const { replay: id, chances } = document.querySelector("[data-replay]").dataset;
const root = document.getElementById("replay");

const ADDRESS = {
  read: () => {
    const text = new URLSearchParams(location.search).get("move");
    return /^\d+$/.test(text ?? "") ? Number(text) : null;
  },
  write: (step) => `?move=${step}`,
};

const opinion = make("div", { class: "opinion", hidden: true });
root.querySelector(".now").append(opinion);
const known = new Map(); // address: what can be said
let wanted = 0;

/** Show what whoever made this step could have known. */
async function consider(step) {
  wanted = step;
  const decided = replay.steps[step]?.by ?? null;
  if (decided === null) return void (opinion.hidden = true);
  const ask = (more) => {
    const query = { step, ...more }, name = JSON.stringify(query);
    if (!known.has(name)) known.set(name, get(`/api/decisions/${id}`, { query }).catch(() => null));
    return known.get(name);
  };
  await hintInSteps(ask, (said) => { if (wanted === step) show(said, decided); });
}

/** What was given away, in words. */
const amount = ({ lost, unit, percent: share }) => {
  const what = { "chances to win": "chance to win", "share of the win": "of the win" }[unit] ?? unit.split(" (")[0];
  return `${share ? percent(lost) : lost.toFixed(unit === "points" ? 1 : 2)} ${what}`;
};

function show(said, decided) {
  const view = replay.views[player.view];
  opinion.hidden = !said || (view.seat !== null && view.seat !== decided); // through other eyes it would tell secrets
  if (!said) return;
  const made = said.worth.find((each) => each.move === said.played);
  const forTheWin = made?.best && said.lost >= said.grave;
  const lost = `${amount(said)} lost`;
  opinion.replaceChildren(
    ...(forTheWin ? [make("p", { class: "soft" }, `${lost}, but this wins more often.`)] : []),
    ...(made?.blunder ? [make("p", { class: "callout" }, make("strong", {}, "⚠ Blunder"), ` ${lost}, compared with the best move`)] : []),
    make("h3", {}, "What could be known"),
    ...drawHint(said, said.played),
  );
}

const replay = unpack(await get(`/api/replays/${id}`));
let timer = null;
root.addEventListener("step", (event) => {
  clearTimeout(timer);
  opinion.hidden = true;
  timer = setTimeout(() => consider(event.detail), 120); // not for every step of a fast run
});
const player = new Player(root, new Table(root.querySelector("[data-part=table]")), replay, ADDRESS);
addEventListener("popstate", () => player.go(ADDRESS.read() ?? 0));
root.dataset.ready = "yes";

let blunders = [];
const whose = make("select", { "aria-label": "Blunders of" }, make("option", { value: "" }, "everybody"), ...replay.names.map((name, i) => make("option", { value: i }, name)));
const me = replay.names.indexOf(myName());
if (me >= 0) whose.value = me;
const list = make("ol", { class: "blunder-list" });
const next = make("button", { type: "button", title: "The next blunder (b)", onclick: () => {
  const after = shownBlunders().find((blunder) => blunder.step > player.step) ?? shownBlunders()[0];
  player.pause();
  if (after) player.go(after.step);
} }, "Next blunder");
const panel = make("section", { class: "now blunders", "aria-label": "Blunders", hidden: true }, make("div", { class: "line" }, make("h2", {}, "Blunders"), whose, next), list);
root.querySelector(".now").after(panel);
whose.addEventListener("change", listBlunders);
addEventListener("keydown", (event) => event.key === "b" && !event.target.closest?.("input, select") && next.click());

const shownBlunders = () => blunders.filter((blunder) => whose.value === "" || blunder.seat === Number(whose.value));

/** Mark the blunders above the slider, and list them. */
function listBlunders() {
  player.unmark("blunder");
  const told = (blunder) => `${replay.names[blunder.seat]}: “${blunder.played}”; “${blunder.better}” was better by ${amount(blunder)}`;
  for (const blunder of shownBlunders()) player.mark(blunder.step, "blunder", told(blunder));
  list.replaceChildren(...shownBlunders().map((blunder) => make("li", {}, make("a", { href: ADDRESS.write(blunder.step), onclick: (event) => {
    event.preventDefault();
    player.pause();
    player.go(blunder.step);
  } }, told(blunder)))));
  if (!list.childNodes.length) list.append(make("li", { class: "soft" }, "None."));
  next.disabled = shownBlunders().length === 0;
}

async function judge(query) {
  blunders = await get(`/api/blunders/${id}`, { query });
  panel.hidden = false;
  listBlunders();
}

try {
  await judge({});
  root.dataset.judged = "by points";
  if (chances !== undefined) await judge({ chances: true });
} catch (problem) {
  panel.hidden = false;
  panel.prepend(make("p", { class: "soft small", role: "status" }, sentence(problem.message)));
}
root.dataset.judged = "fully";
