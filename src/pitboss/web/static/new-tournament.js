// Choose a game, bots and how they meet; then begin, and go to the table.

import { complaints, get, make, parts, post } from "./api.js";
import { runToken, token } from "./token.js";

const form = document.getElementById("new");
const part = parts(form);
const complain = complaints(part.problem);
const { elements } = form;
const submit = form.querySelector("[type=submit]");
const asked = new URLSearchParams(location.search);
let chosen = [];
let asking = 0;

function showChosen() {
  part.chosen.replaceChildren(...chosen.map((name, i) => make("li", {}, make("span", {}, name),
    make("button", { type: "button", class: "quiet", "aria-label": `Without ${name}`, onclick: () => (chosen.splice(i, 1), showChosen()) }, "×"))));
}

/** The rules of the spec: which bots there are, and how many can sit at a table. */
async function consider(fresh) {
  const number = ++asking;
  submit.disabled = part.chosen.inert = true; // what is filled in when the answer comes must not undo a click …
  if (fresh) chosen = []; // … nor drop what is added meanwhile
  showChosen();
  try {
    const rules = await get("/api/rules", { query: { spec: elements.spec.value } });
    if (number !== asking) return;
    complain("");
    if (fresh) chosen = [...new Set([...rules.line_up, ...chosen])];
    const least = Math.max(rules.least_seats, Math.min(2, rules.most_seats));
    if (elements.seats.value < rules.least_seats || elements.seats.value > rules.most_seats) elements.seats.value = least;
    document.getElementById("bots").replaceChildren(...rules.bots.map((bot) => make("option", { value: bot.name })));
    part.bots.replaceChildren(...rules.bots.flatMap((bot) => [make("dt", {}, bot.usage), make("dd", {}, bot.about)]));
    showChosen();
  } catch (problem) {
    if (number === asking) complain(problem.message);
  }
  form.dataset.ready = "yes";
  if (number === asking) submit.disabled = part.chosen.inert = false;
}

function add() {
  const name = elements.bot.value.trim();
  if (name) chosen.push(name);
  elements.bot.value = "";
  showChosen();
}

/** Bots that were sent in and passed, for those who know the token. */
async function showSent() {
  if (form.dataset.uploads !== "yes" || !token()) return;
  const sent = (await get("/api/bots", { token: token() })).filter((each) => each.state === "fine");
  part.sent.replaceChildren(...sent.map((each) => {
    const tick = make("input", { type: "checkbox", name: "sent", value: each.id });
    tick.checked = asked.get("sent") === each.id;
    return make("label", {}, make("span", {}, `${each.name}.py (${each.title})`), tick);
  }));
  if (asked.get("sent")) part["sent-box"].open = true;
}

elements.preset.addEventListener("change", () => {
  elements.spec.value = elements.preset.value;
  consider(true);
});
elements.spec.addEventListener("change", () => consider(false));
form.querySelector("[data-do=add]").addEventListener("click", add);
elements.bot.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  add();
});
elements.token?.addEventListener("change", () => {
  token(elements.token.value.trim());
  showSent().then(() => complain(""), (problem) => complain(problem.message));
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (elements.bot.value.trim()) add();
  submit.disabled = true;
  const number = (name) => Number(elements[name].value) || 1;
  const sent = [...form.querySelectorAll("[name=sent]:checked")].map((tick) => tick.value);
  try {
    const made = await post("/api/tournaments", {
      name: elements.title.value.trim(), spec: elements.spec.value, bots: chosen, sent, seats: number("seats"), best_of: number("best_of"), blocks: number("blocks"),
      format: elements.format.value, seed: elements.seed.value.trim() || null,
    }, { token: sent.length ? token() : null });
    runToken(made.id, made.token);
    location.assign(`/tournaments/${made.id}`);
  } catch (problem) {
    complain(problem.message);
    submit.disabled = false;
  }
});

try {
  const games = await get("/api/games");
  const all = games.flatMap((game) => game.presets);
  elements.preset.replaceChildren(...all.map((preset) => make("option", { value: preset.spec, title: preset.about }, preset.full_title)));
  const wanted = asked.get("game") ?? "";
  elements.preset.value = all.find((preset) => preset.spec === wanted.split("(")[0])?.spec ?? all.find((preset) => preset.name === "tournament")?.spec ?? all[0].spec;
  elements.spec.value = wanted || elements.preset.value;
  if (elements.token) elements.token.value ||= token();
  await consider(true);
  await showSent();
} catch (problem) {
  form.dataset.ready = "yes";
  complain(problem.message);
}
