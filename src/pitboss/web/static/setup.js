// Choose a game, its rules and who plays; then make the table and go there.

import { complaints, get, make, myName, parts, post, sentence } from "./api.js";

const form = document.getElementById("setup");
const part = parts(form);
const complain = complaints(part.problem);
const people = form.dataset.people === "yes";
const submit = form.querySelector("[type=submit]");
const KINDS = [["here", "a person here"], ["guest", "a friend by a link"], ["bot", "a bot"]];
const OTHER = "another bot …";

let games = [];
let rules = null; // as the server says them
let places = null; // [{kind, name}], or null until somebody changes them
let asked = 0;

const chosen = () => form.querySelector("[name=preset]:checked")?.value;
const persons = () => places.filter((place) => place.kind !== "bot").length;

/** Ask for the rules of a spec; only the newest question counts. */
async function consider(spec) {
  const number = ++asked;
  submit.disabled = part.places.inert = true; // what is filled in when the answer comes must not undo a click
  try {
    const answer = await get("/api/rules", { query: { spec } });
    if (number !== asked) return;
    rules = answer;
    complain("");
    show();
  } catch (problem) {
    if (number !== asked) return;
    complain(problem.message);
    if (rules) showSwitches();
  }
  if (number === asked) submit.disabled = part.places.inert = false;
}

function usual() {
  const bots = [...rules.line_up];
  while (bots.length < rules.least_seats) bots.push(rules.line_up[0]);
  const all = bots.slice(0, rules.most_seats).map((name) => ({ kind: "bot", name }));
  if (people) all.splice(all.length - 1, 1), all.unshift({ kind: "here", name: myName() });
  return all;
}

function show() {
  part.spec.textContent = rules.spec;
  part.words.replaceChildren(...rules.words.map((line) => make("li", {}, line)));
  part.bots.replaceChildren(...rules.bots.flatMap((bot) => [make("dt", {}, bot.usage), make("dd", {}, bot.about)]));
  showSwitches();
  if (!places) places = usual();
  while (places.length < rules.least_seats) addPlace();
  places.length = Math.min(places.length, rules.most_seats);
  showPlaces();
}

/** The rules with one switch set: the preset it was, and all that differs. */
function changed(name, value) {
  const preset = chosen().split(":")[0];
  const inside = /\((.*)\)$/.exec(rules.spec)?.[1] ?? "";
  const base = rules.spec.split("(")[0] || preset;
  const kept = splitArguments(inside).filter((each) => each.split("=")[0].trim() !== name);
  return `${base}(${[...kept, `${name}=${value}`].join(", ")})`;
}

function splitArguments(text) {
  const out = [];
  let depth = 0, start = 0;
  [...text].forEach((sign, i) => {
    depth += "([".includes(sign) - ")]".includes(sign);
    if (sign === "," && depth === 0) {
      out.push(text.slice(start, i));
      start = i + 1;
    }
  });
  out.push(text.slice(start));
  return out.map((each) => each.trim()).filter(Boolean);
}

function showSwitches() {
  const focused = document.activeElement?.dataset?.switch;
  part.switches.replaceChildren(...rules.switches.map((each) => {
    const set = (value) => consider(changed(each.name, value));
    const common = { "data-switch": each.name, disabled: Boolean(each.needs) };
    let control;
    if (each.kind === "yes") {
      control = make("input", { type: "checkbox", ...common, onchange: () => set(control.checked) });
      control.checked = each.value === "true";
    } else if (each.kind === "choice") {
      control = make("select", { ...common, onchange: () => set(control.value) },
        ...each.choices.map((choice) => make("option", { value: choice }, choice.replaceAll("_", " "))));
      control.value = each.value;
    } else {
      const number = each.kind === "number";
      control = make("input", { type: number ? "number" : "text", min: number ? each.least : null, max: number ? each.most : null,
        maxlength: 400, ...common, onchange: () => set(control.value) });
      control.value = each.value;
    }
    return make("label", { class: each.needs ? "off" : "", title: each.needs ? `needs ${each.needs}` : each.name },
      make("span", {}, sentence(each.about).slice(0, -1)), control);
  }));
  if (focused) part.switches.querySelector(`[data-switch=${focused}]`)?.focus();
}

const addPlace = () => places.push({ kind: "bot", name: rules.line_up[(places.length - (people ? 1 : 0)) % rules.line_up.length] });

/** The bots that can be chosen; one with a number of its own is typed. */
function botList(place, i) {
  const known = rules.bots.filter((bot) => !bot.name.endsWith("-"));
  const names = [...new Set([...rules.line_up, ...known.map((bot) => bot.name), place.name])];
  const about = (name) => rules.bots.find((bot) => bot.name === name || (bot.name.endsWith("-") && name.startsWith(bot.name)))?.about ?? "";
  const list = make("select", { "aria-label": `Seat ${i + 1}: which bot`, title: about(place.name), onchange: () => {
    place.typed = list.value === OTHER;
    if (!place.typed) place.name = list.value;
    showPlaces();
    part.places.querySelectorAll("li")[i].lastChild.focus();
  } }, ...[...names, OTHER].map((name) => make("option", { value: name, title: about(name) }, name)));
  return list;
}

function showPlaces() {
  part.places.replaceChildren(...places.map((place, i) => {
    const kinds = people ? KINDS : KINDS.slice(2);
    const kind = make("select", { "aria-label": `Seat ${i + 1}: who`, onchange: () => {
      const wasBot = place.kind === "bot";
      place.kind = kind.value;
      if (wasBot !== (place.kind === "bot")) place.name = place.kind === "bot" ? rules.line_up[0] : persons() === 1 ? myName() : `Player ${persons()}`;
      showPlaces();
      part.places.querySelectorAll("select")[i].focus();
    } }, ...kinds.map(([value, text]) => make("option", { value }, text)));
    kind.value = place.kind;
    const name = place.kind === "bot" && !place.typed ? botList(place, i) : make("input", {
      "aria-label": `Seat ${i + 1}: ${place.kind === "bot" ? "which bot" : "name"}`, maxlength: 60, spellcheck: "false", autocomplete: "off",
      oninput: () => (place.name = name.value.trim()) });
    name.value = place.name;
    return make("li", {}, kind, name);
  }));
  const persons_ = persons(), bots = places.length - persons_;
  part.summary.textContent = [persons_ && `${persons_} ${persons_ === 1 ? "person" : "people"}`, bots && `${bots} ${bots === 1 ? "bot" : "bots"}`].filter(Boolean).join(" and ");
  form.querySelector("[data-do=fewer]").disabled = places.length <= rules.least_seats;
  form.querySelector("[data-do=more]").disabled = places.length >= rules.most_seats;
}

form.querySelector("[data-do=fewer]").addEventListener("click", () => (places.pop(), showPlaces()));
form.querySelector("[data-do=more]").addEventListener("click", () => (addPlace(), showPlaces()));

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  submit.disabled = true;
  const seed = form.elements.seed.value.trim();
  const me = places.find((place) => place.kind === "here");
  if (me?.name) myName(me.name);
  try {
    const made = await post("/api/tables", {
      spec: rules.spec, places: places.map(({ kind, name }) => ({ kind, name })), seed: seed || null,
      ...(people ? { hints: form.elements.hints.checked } : { pace: Number(form.elements.pace.value) }),
    });
    location.assign(`/table/${made.id}#${made.token}`);
  } catch (problem) {
    complain(problem.message);
    submit.disabled = false;
  }
});

games = await get("/api/games");
const wanted = new URLSearchParams(location.search).get("game");
const titled = (text) => text.replace(/(\D)(\d)/, "$1 $2").replace(/^./, (sign) => sign.toUpperCase());
part.presets.replaceChildren(...games.flatMap((game) => [make("h3", {}, titled(game.name)), ...game.presets.map((preset) => {
  const radio = make("input", { type: "radio", name: "preset", value: preset.spec, onchange: () => {
    places = null;
    consider(preset.spec);
  } });
  return make("label", { title: preset.spec }, radio, make("b", {}, titled(preset.name)), make("small", {}, sentence(preset.about)));
})]));
const radios = [...form.querySelectorAll("[name=preset]")];
const first = radios.find((radio) => wanted && (radio.value === wanted || radio.value.startsWith(`${wanted}:`))) ?? radios[0];
first.checked = true;
await consider(first.value);
