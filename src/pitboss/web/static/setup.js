// Choose a game, how many play and who; rules of one's own wait behind "More". Then make the table and go there.

import { cardPicture } from "/shared/cards.js";
import { complaints, get, make, myName, parts, post, sentence } from "./api.js";
import { drawSwitches } from "./switches.js";

const form = document.getElementById("setup");
const part = parts(form);
const complain = complaints(part.problem);
const people = form.dataset.people === "yes";
const submit = form.querySelector("[type=submit]");
const button = Object.fromEntries([...form.querySelectorAll("[data-do]")].map((node) => [node.dataset.do, node]));
const KINDS = [["here", "person here"], ["guest", "friend, by a link"], ["bot", "bot"]];
const LEVELS = ["", "a beginner", "easy", "good", "strong", "very strong"];
const MIXED = "of all kinds"; // opponents as the game names them
const OTHER = "another bot …";
const asked = new URLSearchParams(location.search);

let games = [];
let rules = null; // as the server says them
let places = null; // [{kind, name}], or null until somebody changes them
let questions = 0;

const persons = () => places.filter((place) => place.kind !== "bot").length;
const bookOf = (spec) => games.flatMap((game) => game.presets).find((preset) => preset.spec === spec);

/** Ask for the rules of a spec; only the newest question counts. */
async function consider(spec) {
  const number = ++questions;
  submit.disabled = part.table.inert = true; // what is filled in when the answer comes must not undo a click
  try {
    const answer = await get("/api/rules", { query: { spec } });
    if (number !== questions) return;
    rules = answer;
    complain("");
    show();
  } catch (problem) {
    if (number !== questions) return;
    complain(problem.message);
    if (rules) showSwitches();
  }
  form.dataset.ready = "yes";
  if (number === questions) submit.disabled = part.table.inert = false;
}

// --- the game ---

function showGames() {
  part.games.replaceChildren(...games.map((game) => {
    const radio = make("input", { type: "radio", name: "game", value: game.name, class: "unseen", onchange: () => choose(game, game.presets[0].spec) });
    return make("label", { class: "game" }, radio,
      make("span", { class: "hand", "aria-hidden": "true" }, ...game.faces.map((face) => cardPicture(face, { width: 27 }))),
      make("span", {}, make("b", {}, game.title), make("small", {}, sentence(game.about))));
  }));
}

function choose(game, spec) {
  form.querySelector(`[name=game][value="${game.name}"]`).checked = true;
  part.presets.hidden = game.presets.length < 2;
  part.presets.replaceChildren(...game.presets.map((preset) => {
    const radio = make("input", { type: "radio", name: "preset", value: preset.spec, class: "unseen", onchange: () => take(preset) });
    return make("label", { title: preset.about }, radio, preset.title);
  }));
  take(game.presets.find((preset) => preset.spec === spec) ?? game.presets[0]);
}

function take(preset) {
  form.querySelector(`[name=preset][value="${preset.spec}"]`).checked = true;
  part.about.textContent = sentence(preset.about);
  places = null;
  return consider(preset.spec);
}

// --- the rules ---

function show() {
  part.spec.textContent = bookOf(rules.spec) ? "" : rules.spec;
  part.words.replaceChildren(...rules.words.map((line) => make("li", {}, line)));
  part.bots.replaceChildren(...rules.bots.flatMap((bot) => [make("dt", {}, bot.usage), make("dd", {}, bot.about)]));
  showSwitches();
  showStrengths();
  if (people) part["delay-field"].hidden = !rules.secrets; // where nothing is hidden, who watches can tell nothing
  if (!places) places = usual();
  while (places.length < rules.least_seats) addPlace();
  places.length = Math.min(places.length, rules.most_seats);
  showPlaces();
}

const showSwitches = () => drawSwitches(part.switches, rules, consider);

// --- who plays ---

const level = (name) => rules.levels[name] ?? 0;

/** The bots of a strength, or the usual ones. */
function opponents() {
  const chosen = Number(part.strength.value);
  const able = Object.keys(rules.levels).filter((name) => level(name) === chosen);
  return able.length ? able : [...rules.line_up].reverse();
}

function usual() {
  const bots = opponents();
  const count = Math.min(Math.max(rules.least_seats, people ? 3 : rules.line_up.length), rules.most_seats);
  const friends = asked.get("with") === "friends";
  return Array.from({ length: count }, (_, i) => (people && i === 0 ? { kind: "here", name: myName() }
    : people && friends && i === 1 ? { kind: "guest", name: "" } : { kind: "bot", name: bots[(i - people) % bots.length] }));
}

function addPlace() {
  const bots = opponents();
  places.push({ kind: "bot", name: bots[(places.length - people) % bots.length] });
}

/** One choice for all bots, where the game says how strong they are. */
function showStrengths() {
  const known = [...new Set(Object.values(rules.levels))].sort();
  part["strength-field"].hidden = known.length < 2 || rules.most_seats < 2;
  const before = part.strength.value;
  part.strength.replaceChildren(make("option", { value: "0" }, MIXED), ...known.map((each) => make("option", { value: each }, LEVELS[each])));
  part.strength.value = known.includes(Number(before)) ? before : "0";
}

/** A bot's name, and how strong it is. */
const described = (name) => (level(name) ? `${name}, ${LEVELS[level(name)]}` : name);

/** What a bot does; a number is said as it is. */
function about(name) {
  const found = rules.bots.find((bot) => bot.name === name || (bot.name.endsWith("-") && name.startsWith(bot.name)));
  const number = /-([\d.]+)$/.exec(name)?.[1];
  return (found?.about ?? "").replace(new RegExp(`\\b${found?.usage.split("-").at(-1)}\\b`), (word) => number ?? word);
}

/** The bots that can be chosen, the weakest first; one with a number of its own is typed. */
function botList(place, i) {
  const known = rules.bots.filter((bot) => !bot.name.endsWith("-")).map((bot) => bot.name);
  const names = [...new Set([...Object.keys(rules.levels), ...rules.line_up, ...known, place.name])].sort((a, b) => (level(a) || 9) - (level(b) || 9));
  const list = make("select", { "aria-label": `Seat ${i + 1}: which bot`, onchange: () => {
    place.typed = list.value === OTHER;
    if (!place.typed) place.name = list.value;
    showPlaces();
    part.places.children[i].querySelector("[data-who]").focus();
  } }, ...names.map((name) => make("option", { value: name }, described(name))), make("option", { value: OTHER }, OTHER));
  return list;
}

function showPlaces() {
  part.places.replaceChildren(...places.map((place, i) => {
    const bot = place.kind === "bot";
    const kind = make("select", { "aria-label": `Seat ${i + 1}: who`, onchange: () => {
      place.kind = kind.value;
      if (bot !== (place.kind === "bot")) place.name = bot ? (persons() === 1 ? myName() : "") : opponents()[0];
      showPlaces();
      part.places.querySelectorAll("select")[i].focus();
    } }, ...KINDS.map(([value, text]) => make("option", { value }, text)));
    kind.value = place.kind;
    const name = bot && !place.typed ? botList(place, i) : make("input", { maxlength: 60, spellcheck: "false", autocomplete: "off",
      "aria-label": `Seat ${i + 1}: ${bot ? "which bot" : "name"}`, placeholder: bot ? "" : i === 0 ? "Your name" : "Name", oninput: () => (place.name = name.value.trim()) });
    name.value = place.name;
    name.dataset.who = "";
    const says = bot ? about(place.name) : place.kind === "guest" ? "you get a link for them" : "";
    return make("li", {}, people ? kind : null, name, says ? make("small", { class: "soft" }, says) : null);
  }));
  const persons_ = persons(), bots = places.length - persons_;
  part.summary.textContent = [persons_ && (persons_ === 1 ? (bots ? "You" : "You alone") : `${persons_} people`), bots && `${bots} ${bots === 1 ? "bot" : "bots"}`].filter(Boolean).join(" and ");
  part.count.textContent = places.length === 1 ? "1 seat" : `${places.length} seats`;
  button.fewer.disabled = places.length <= rules.least_seats;
  button.more.disabled = places.length >= rules.most_seats;
}

button.fewer.addEventListener("click", () => (places.pop(), showPlaces()));
button.more.addEventListener("click", () => (addPlace(), showPlaces()));
part.strength.addEventListener("change", () => {
  const bots = opponents();
  places.filter((place) => place.kind === "bot").forEach((place, i) => Object.assign(place, { name: bots[i % bots.length], typed: false }));
  showPlaces();
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  submit.disabled = true;
  const seed = form.elements.seed.value.trim();
  const me = places.find((place) => place.kind === "here");
  if (me?.name) myName(me.name);
  const { hints, pace, clock, stand_in, delay } = form.elements;
  const further = people
    ? { hints: hints.checked, clock: Number(clock.value), stand_in: stand_in.checked, delay: rules.secrets ? Number(delay.value) : 0 }
    : { pace: Number(pace.value) };
  try {
    const made = await post("/api/tables", {
      spec: rules.spec, places: places.map(({ kind, name }) => ({ kind, name })), seed: seed || null,
      ...further,
    });
    location.assign(`/table/${made.id}#${made.token}`);
  } catch (problem) {
    complain(problem.message);
    submit.disabled = false;
  }
});

games = await get("/api/games");
showGames();
const wanted = asked.get("game") ?? "";
const game = games.find((each) => each.name === wanted.split(/[:(]/)[0]) ?? games[0];
choose(game, wanted.split("(")[0]);
