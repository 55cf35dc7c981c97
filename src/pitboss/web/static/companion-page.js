// A companion for a real table. All that was tapped is in the address, behind the #: reload, share, go back.

import { cardPicture } from "/shared/cards.js";
import { Table } from "/shared/table.js";
import { complaints, get, make, parts, percent, post, sentence } from "./api.js";

const main = document.querySelector("main");
const form = document.getElementById("begin");
const part = parts(main);
const complain = complaints(part.problem);
const table = new Table(part.table);
const button = (name) => main.querySelector(`[data-do=${name}]`);
const worth = (goal, value) => (goal.percent ? percent(value) : value.toFixed(2));

let players = Array.from({ length: 3 }, () => ({ name: "", total: 0 }));
let mine = 2;
let here = null; // {spec, names, me, totals, dealer, taps}, or null while the table is described
let wanted = null; // the newest table that was asked for: fast fingers are ahead of the answers
let newest = 0;
let accepted = 0; // the newest question that was answered

// --- the address ---

function written({ spec, names, me, totals, dealer, taps }) {
  const text = new URLSearchParams({ rules: spec, names: names.join(","), me, totals: totals.join(","), dealer, taps: taps.join(" ") });
  return `#${text}`;
}

function readAddress() {
  const text = new URLSearchParams(location.hash.slice(1));
  if (!text.get("names")) return null;
  const names = text.get("names").split(",");
  const totals = (text.get("totals") ?? "").split(",").filter(Boolean).map(Number);
  return { spec: text.get("rules") ?? "flip7:official", names, me: Number(text.get("me") ?? 0), totals, dealer: Number(text.get("dealer") ?? names.length - 1), taps: (text.get("taps") ?? "").split(" ").filter(Boolean) };
}

// --- the table described ---

/** Who has no name is a letter, as in the terminal. */
const called = (player, i) => player.name || (i === mine ? "me" : "ABCDEFGHIJKLMNOPQR"[i - (i > mine)]);

function showPlayers() {
  part.players.replaceChildren(...players.map((player, i) => {
    const name = make("input", { type: "text", "aria-label": `Player ${i + 1}: name`, maxlength: 20, autocomplete: "off", spellcheck: "false", onchange: () => (player.name = name.value.trim(), showDealers()) });
    const total = make("input", { type: "number", "aria-label": `Player ${i + 1}: points so far`, min: 0, max: 9999, onchange: () => (player.total = Number(total.value) || 0) });
    const me = make("input", { type: "radio", name: "me", onchange: () => ((mine = i), showPlayers(), part.players.querySelectorAll("[type=radio]")[i].focus()) });
    [name.value, name.placeholder, total.value, me.checked] = [player.name, called({}, i), player.total, mine === i];
    return make("li", {}, name, total, make("label", { class: "tick" }, me, "me"));
  }));
  button("fewer").disabled = players.length < 2;
  button("more").disabled = players.length >= 18;
  showDealers();
}

function showDealers() {
  const was = Math.min(form.elements.dealer.selectedIndex, players.length - 1);
  form.elements.dealer.replaceChildren(...players.map((player, i) => make("option", { value: i }, called(player, i))));
  form.elements.dealer.selectedIndex = was < 0 ? players.length - 1 : was;
}

function describe(problem = "") {
  here = null;
  main.dataset.state = "describing";
  form.hidden = false;
  part.follow.hidden = true;
  part.refusal.hidden = !problem;
  part.refusal.textContent = problem ? sentence(problem) : "";
  showPlayers();
}

// --- the table followed ---

const key = (card) => make("button", {
  type: "button", class: card.harm ? "harm" : null, "data-entry": card.entry, disabled: !card.left,
  "aria-label": `${card.face.name}, ${card.left} left, ${percent(card.chance)}${card.harm ? `, ${card.harm}` : ""}`, onclick: () => tap(card.entry),
}, cardPicture(card.face, { width: 32 }), make("small", {}, card.harm === "bust" ? `✗ ${percent(card.chance)}` : percent(card.chance)));

function show(seen) {
  main.dataset.state = seen.over ? "over" : "following";
  main.dataset.taps = here.taps.length;
  form.hidden = true;
  part.follow.hidden = false;
  part.due.textContent = seen.due.replace(/, or s to stay\?$/, ", or stays?").replace(": undo or quit?", ".");
  part.told.textContent = seen.told.map((text) => text.replace(/^-+ | -+$/g, "")).join(" · ");
  part.words.replaceChildren(...seen.words.map((word) => make("button", { type: "button", class: word.about, "data-entry": word.entry, onclick: () => tap(word.entry) }, word.entry === "s" || word.about === "player" ? word.text : sentence(word.text).slice(0, -1))));
  part.cards.replaceChildren(...seen.cards.map(key));
  button("undo").disabled = !here.taps.length;
  table.near = here.me;
  table.draw(seen.scene);
}

function showAdvice(advice, whole) {
  if (whole) main.dataset.advised = here.taps.length;
  const out = advice.headline ? [make("p", { class: "verdict" }, advice.headline)] : [make("p", {}, "There is nothing for you to decide.")];
  if (advice.risk !== null) {
    const bar = make("i");
    bar.style.width = `${100 * advice.risk}%`;
    out.push(make("div", { class: "gauge", "aria-hidden": "true" }, bar));
  }
  out.push(...advice.lines.map((line) => make("p", { class: "small" }, sentence(line))));
  if (advice.goals.length) {
    out.push(make("table", { class: "plain" }, make("caption", { class: "unseen" }, "What your choices are worth"),
      make("thead", {}, make("tr", {}, make("td"), ...advice.goals.map((goal) => make("th", { scope: "col", class: "num" }, goal.about)))),
      make("tbody", {}, ...advice.choices.map((choice, i) => make("tr", {}, make("th", { scope: "row" }, choice),
        ...advice.goals.map((goal) => make("td", { class: `num${goal.best === i ? " best" : ""}` }, `${worth(goal, goal.values[i])}${goal.best === i ? " ★" : ""}`)))))));
  }
  if (!whole) out.push(make("p", { class: "soft small" }, "Chances to win are being worked out. The first time for these rules takes a while."));
  else if (advice.reason) out.push(make("p", { class: "soft small" }, sentence(advice.reason)));
  if (advice.note) out.push(make("p", { class: "soft small", role: "status" }, sentence(advice.note)));
  part.advice.replaceChildren(...out);
}

/** All that can be said. What is known at once, points, is shown while the chances are worked out. */
async function adviceFor(wanted, number) {
  let done = false;
  const all = post("/api/companion/advice", wanted).finally(() => (done = true));
  const quick = post("/api/companion/advice?chances=false", wanted).then((advice) => {
    if (done || number !== newest) return;
    showAdvice(advice, false);
    part.advice.parentElement.classList.remove("stale");
  });
  await Promise.allSettled([quick, all]);
  return all;
}

/** Ask about a table; it becomes ours if the server can follow it. */
async function consider(asked, { keep = true } = {}) {
  const number = ++newest;
  wanted = asked;
  const seen = await post("/api/companion", asked);
  if (number < accepted) return;
  accepted = number;
  here = asked;
  if (number !== newest) return;
  if (keep) history.replaceState(null, "", written(here));
  show(seen);
  const box = part.advice.parentElement;
  box.classList.add("stale");
  if (!part.advice.childNodes.length) part.advice.replaceChildren(make("p", {}, "Working it out …"));
  try {
    const advice = seen.over ? null : await adviceFor(asked, number);
    if (number !== newest) return;
    if (advice) showAdvice(advice, true);
    else part.advice.replaceChildren(make("p", { class: "verdict" }, "The game is over"));
  } catch (problem) {
    if (number === newest) part.advice.replaceChildren(make("p", {}, sentence(problem.message)));
  }
  box.classList.remove("stale");
}

/** Ask about the table after some taps. Of those that are refused, the table stays as it was before them. */
async function change(taps) {
  complain("");
  try {
    await consider({ ...wanted, taps });
  } catch (problem) {
    if (wanted.taps !== taps) return; // a later tap is still on its way, and fails with this one
    const lost = taps.slice(here.taps.length).join(", ");
    complain(lost ? `${lost} was not taken: ${problem.message}` : problem.message);
    await consider(here).catch(() => {});
  }
}

const tap = (entry) => change([...wanted.taps, entry]);
button("undo").addEventListener("click", () => change(wanted.taps.slice(0, -1)));
button("leave").addEventListener("click", () => {
  history.pushState(null, "", location.pathname);
  part.advice.replaceChildren();
  describe();
});
button("fewer").addEventListener("click", () => (players.pop(), (mine = Math.min(mine, players.length - 1)), showPlayers()));
button("more").addEventListener("click", () => (players.push({ name: "", total: 0 }), showPlayers()));

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const asked = { spec: form.elements.spec.value, names: players.map(called), me: mine, totals: players.map((player) => player.total), dealer: Number(form.elements.dealer.value), taps: [] };
  try {
    await consider(asked, { keep: false });
    history.pushState(null, "", written(here));
  } catch (problem) {
    describe(problem.message);
  }
});

async function open() {
  const asked = readAddress();
  if (!asked) return describe();
  try {
    await consider(asked);
  } catch (problem) {
    describe(problem.message);
  }
}

addEventListener("popstate", open);
try {
  const presets = await get("/api/companion");
  form.elements.spec.replaceChildren(...presets.map((preset) => make("option", { value: preset.spec, title: preset.about }, preset.full_title)));
  form.querySelector("[type=submit]").disabled = false;
} catch (problem) {
  part.refusal.textContent = sentence(problem.message);
  part.refusal.hidden = false;
}
await open();
