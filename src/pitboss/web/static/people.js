// The people at a table: who is there, how others come in, what is said without words, and the clock.

import { avatar, faces } from "/shared/avatar.js";
import { draw } from "/shared/svg.js";
import { copyable, get, make } from "./api.js";

const STATES = { here: "here", away: "away", gone: "not connected", expected: "expected", bot: "bot" };
const EYES = "M36 38V44M64 38V44";
/** What can be said, in words, and as lines in a square of 100. */
const REACTIONS = {
  clap: ["Well played", "M50 8L62 38L94 40L69 60L77 92L50 74L23 92L31 60L6 40L38 38Z"],
  laugh: ["Ha!", `${EYES}M28 56C34 82 66 82 72 56Z`],
  wow: ["Oh!", `${EYES}M50 56A10 12 0 1 0 50.1 56`],
  ouch: ["Ouch", "M28 34L42 44L28 50M72 34L58 44L72 50M32 74Q41 58 50 70T68 66"],
  think: ["Hm …", `${EYES}M34 70H66M58 26L76 22`],
  thanks: ["Thanks", "M50 88C30 72 8 56 8 34C8 10 40 8 50 30C60 8 92 10 92 34C92 56 70 72 50 88Z"],
};
const ROUND = "M50 6A44 44 0 1 0 50.1 6";
const sign = (what) => draw("svg", { class: "reaction-sign", viewBox: "0 0 100 100", "aria-hidden": "true" },
  draw("path", { d: (["clap", "thanks"].includes(what) ? "" : ROUND) + REACTIONS[what][1] }));
const SHOWN = 4000; // milliseconds for which a reaction stands beside a name

export const facesOf = (seats) => faces(seats.map((seat) => ({ name: seat.name, bot: seat.kind === "bot" })));

/** The panel beside the table. */
export class PeoplePanel {
  constructor(part, { id, token, origin, alone, react }) {
    Object.assign(this, { part, id, token, origin, alone, react, heard: 0, drawn: "", code: null, invited: null });
    part.reactions.replaceChildren(...Object.entries(REACTIONS).map(([what, [words]]) =>
      make("button", { type: "button", class: "quiet", title: words, "aria-label": words, onclick: () => react(what) }, sign(what))));
  }

  show(look) {
    const people = look.seats.filter((seat) => seat.kind !== "bot").length;
    this.part.people.hidden = people < 2;
    this.part.reactions.hidden = !look.mine.length;
    const now = JSON.stringify([look.seats, look.house, look.mine]);
    if (this.drawn !== now) this.#draw(look);
    this.drawn = now;
    for (const said of look.said) if (said.number > this.heard) this.#say(said);
    this.heard = Math.max(this.heard, ...look.said.map((said) => said.number));
    this.#invite(look);
  }

  #draw({ seats, mine, house }) {
    const all = facesOf(seats);
    this.part["people-list"].replaceChildren(...seats.map((seat, i) => make("li", { "data-presence": seat.presence, "data-person": i },
      avatar(all[i]), make("span", { class: "person-name" }, seat.name), mine.includes(i) ? make("span", { class: "soft small" }, "you") : "",
      make("span", { class: "presence" }, STATES[seat.presence]), make("span", { class: "reaction", "aria-live": "polite" }))));
    this.part.house.replaceChildren(...(house ? houseRules(house) : []).map((text) => make("li", {}, text)));
  }

  #say({ seat, what }) {
    const place = this.part["people-list"].querySelector(`[data-person="${seat}"] .reaction`);
    if (!place) return;
    const said = make("span", { title: REACTIONS[what][0] }, sign(what), make("span", { class: "unseen" }, REACTIONS[what][0]));
    place.replaceChildren(said);
    setTimeout(() => said.remove(), SHOWN);
  }

  /** Links for guests, and the code by which all of them can come. */
  #invite(look) {
    const open = look.seats.filter((seat) => seat.invitation);
    this.part.invites.hidden = open.length === 0;
    if (this.invited === open.length) return; // somebody may be about to copy one
    this.invited = open.length;
    const note = this.alone ? make("p", { class: "callout" }, "Only this machine can open these: to let others in, start the room with pitboss serve --host 0.0.0.0.") : "";
    this.code ??= make("div", { class: "code-way" });
    this.part.invites.replaceChildren(make("h2", {}, "Invite"), note, this.code, ...open.map((seat) => make("div", {},
      make("p", {}, `For ${seat.name}: send this link. It is good for one person.`),
      make("div", { class: "line grow" }, ...copyable(`${this.origin}/table/${this.id}#join=${seat.invitation}`, `Link for ${seat.name}`)))));
    if (open.length && !this.code.childNodes.length) drawCode(this.code, this.id, this.token).catch(() => null); // the links do as well
  }
}

/** What the host has arranged, announced beforehand. */
function houseRules({ clock, by, stand_in: standIn, delay }) {
  return [
    clock ? `${clock} seconds for each decision. When they are over, ${by} decides.` : null,
    standIn ? `Who leaves others waiting for half a minute is played by ${standIn} until they are back.` : null,
    delay ? `Those who watch are ${delay} seconds behind, and see no hidden cards.` : null,
  ].filter(Boolean);
}

/** A code as it is read out: in two halves. */
export const spelled = (code) => `${code.slice(0, 3)}-${code.slice(3)}`;

/** The code of a table, to read out and to photograph. */
export async function drawCode(place, id, token) {
  const { code, address, picture, reachable } = await get(`/api/tables/${id}/code`, { token });
  const qr = make("img", { class: "qr", width: 148, height: 148, alt: `QR code: ${address}`, src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}` });
  place.replaceChildren(...(reachable ? [qr] : []), make("p", {}, reachable ? "Point a phone's camera at this, or type the code at " : "Type this code at ", make("b", {}, address.split("#")[0].replace(/^https?:\/\//, "")), ":"), make("p", { class: "table-code" }, spelled(code)));
}

/** The time that is left for a decision. */
export class ClockFace {
  constructor(node) {
    this.node = node;
    this.until = null;
    setInterval(() => this.#tick(), 250);
  }

  show({ left, house, to_act: seat, names, mine }) {
    this.until = left === null ? null : Date.now() + 1000 * left;
    this.whose = mine.includes(seat) ? "" : `${names[seat]}: `;
    this.all = house?.clock ?? 0;
    this.#tick();
  }

  #tick() {
    this.node.hidden = this.until === null;
    if (this.until === null) return;
    const left = Math.max(0, Math.ceil((this.until - Date.now()) / 1000));
    this.node.textContent = `${this.whose}${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    this.node.classList.toggle("soon", left <= 10);
  }
}
