// The front page: a hand of any game for one click, and the way back to one's own games.

import { BACK, cardPicture } from "/shared/cards.js";
import { complaints, make, myName, parts, post } from "./api.js";
import { keepSeat, seats } from "./seats.js";

const CARD = 62; // pixels of a card's width
const TURN = 7; // degrees between two cards of a fan

/** Some cards of a game, held like a hand; of a game with secrets two face down. */
function fan(offer) {
  const faces = JSON.parse(offer.dataset.faces);
  const hand = faces.map((face, i) => cardPicture(offer.dataset.secrets && i >= faces.length - 2 ? BACK : face, { width: CARD }));
  hand.forEach((card, i) => {
    const from = i - (hand.length - 1) / 2;
    card.style.setProperty("--turn", `${from * TURN}deg`);
    card.style.setProperty("--drop", `${from * from * 2.2}px`);
  });
  offer.querySelector(".fan").replaceChildren(...hand);
}

/** Sit down with the bots that a button names. */
async function deal(button, complain) {
  const bots = button.dataset.bots.split(",").filter(Boolean);
  const places = [{ kind: "here", name: myName() }, ...bots.map((name) => ({ kind: "bot", name }))];
  button.disabled = true;
  try {
    const made = await post("/api/tables", { spec: button.dataset.spec, places });
    keepSeat(made.id, made.token);
    location.assign(`/table/${made.id}#${made.token}`);
  } catch (problem) {
    complain(problem.message);
    button.disabled = false;
  }
}

for (const offer of document.querySelectorAll(".offer")) {
  fan(offer);
  const [button, problem] = [offer.querySelector("button"), offer.querySelector("[role=alert]")];
  button.addEventListener("click", () => deal(button, complaints(problem)));
}
addEventListener("pageshow", () => document.querySelectorAll(".offer button").forEach((button) => (button.disabled = false))); // come back to

const mine = seats().filter((seat) => seat.names);
const [open, over] = [mine.filter((seat) => !seat.over), mine.filter((seat) => seat.over)];
const lead = (seat) => make("a", { class: "button", href: `/table/${seat.id}` }, seat.names.join(" · "));
parts(document).return.append(...(open.length
  ? [make("strong", {}, "Go on where you left off"), ...open.slice(0, 3).map(lead)]
  : over.length ? [make("strong", {}, "Your last game"), lead(over[0])] : []));
