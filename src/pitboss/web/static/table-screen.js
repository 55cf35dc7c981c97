// A table on a big screen: only to be watched, with the code by which guests come if this browser sits at the table. It
// goes along to the next game by itself.

import { Table } from "/shared/table.js";
import { avatar } from "/shared/avatar.js";
import { motion } from "/shared/motion.js";
import { drawCurve } from "/shared/story.js";
import { headline, storyOf } from "./ending.js";
import { make, parts, sentence, tidy } from "./api.js";
import { drawCode, facesOf } from "./people.js";
import { seatAt } from "./seats.js";
import { Wire } from "./wire.js";

const main = document.querySelector("[data-screen]");
const { screen: id } = main.dataset;
const part = parts(main);
const STEP = 500, LOOK = 2200; // milliseconds for a card, and for the end of a round
const ALONG = 12000; // after which the next game is shown
const FAR_BEHIND = 10; // steps that wait, from which on none is looked at for long
const table = new Table(part.table);
const queue = [];
let look = null, known = -1, before = null, timer = null, told = false;

function draw(step) {
  table.bots = look.seats.map((seat) => seat.kind === "bot");
  if (step.scene) table.draw(step.scene, before ?? step.scene, step.moments);
  before = step.scene;
  const said = step.events.at(-1)?.[0];
  if (said) part.brief.textContent = tidy(said);
}

/** Show what waits, one step after the other. */
function run() {
  if (timer) return;
  const step = queue.shift();
  if (!step) return finish();
  draw(step);
  const still = motion() === "off" && !step.ends;
  timer = setTimeout(() => {
    timer = null;
    run();
  }, queue.length > FAR_BEHIND || still ? 0 : step.ends ? LOOK : STEP);
}

function hear(seen) {
  const first = look === null, renamed = look && `${look.names}` !== `${seen.names}`;
  look = seen;
  part.title.textContent = seen.names.join(" · ");
  part.facts.textContent = seen.title;
  const all = facesOf(seen.seats), waiting = seen.seats.some((seat) => seat.presence === "expected");
  part["people-list"].replaceChildren(...seen.seats.map((seat, i) => make("li", { "data-presence": seat.presence }, avatar(all[i]), make("span", { class: "person-name" }, seat.name),
    make("span", { class: "presence" }, seat.kind === "bot" ? "bot" : seat.presence === "gone" ? "not connected" : seat.presence))));
  showCode(waiting);
  const fresh = seen.steps.filter((step) => step.number > known);
  known = Math.max(known, seen.last);
  if (first || renamed) { // all that was before, at once
    for (const step of fresh.slice(0, -1)) if (step.scene) table.reserve(step.scene);
    if (fresh.length) draw(fresh.at(-1));
    queue.length = 0;
  } else queue.push(...fresh);
  run();
}

async function showCode(waiting) {
  const token = seatAt(id);
  part.code.hidden = !waiting || !token;
  if (part.code.hidden || part.code.childNodes.length) return;
  const place = make("div", { class: "code-way" });
  part.code.append(place);
  await drawCode(place, id, token).catch(() => { part.code.hidden = true; });
}

async function finish() {
  main.dataset.state = look.ending ? "over" : "shown";
  if (look.next) setTimeout(() => location.replace(`/table/${look.next.table}/screen`), ALONG);
  if (!look.ending || told) return;
  told = true;
  part.title.textContent = headline(look);
  part.brief.textContent = look.names.map((name, i) => `${name} ${look.ending.scores[i]}`).join(" · ");
  const story = await storyOf(id, () => null).catch(() => null);
  if (story && look.names.length > 1) part.story.replaceChildren(make("p", { class: "soft" }, "Chances to win, estimated"), drawCurve(story, { width: 380, height: 260 }));
}

new Wire(id, {
  hello: () => ({ token: null, since: known, seat: null }),
  hear,
  lost: (yes) => { part.lost.hidden = !yes; },
  refuse: (code, reason) => { part.title.textContent = sentence(reason || "this table cannot be seen"); },
});
