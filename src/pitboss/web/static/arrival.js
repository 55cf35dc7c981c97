// How somebody comes to a table: with the token of a seat, with an invitation to one, with what this browser remembers, or
// with nothing, only to watch. The token stands behind the # of the address, and is taken out of it where it can be kept.

import { get, myName, post } from "./api.js";
import { keepSeat, seatAt, seats } from "./seats.js";

/** Ask a guest by what name to play; null if they only want to watch. */
function invited(part, { title, seats: sitting }) {
  const form = part.join.querySelector("form");
  part["join-text"].textContent = `A game of ${title} with ${sitting.filter((seat) => seat.presence !== "expected").map((seat) => seat.name).join(", ")}.`;
  form.elements.name.value = myName();
  part.join.showModal();
  return new Promise((resolve) => part.join.addEventListener("close", () => resolve(part.join.returnValue === "join" ? form.elements.name.value.trim() : null)));
}

/** Whether this browser opens a table for the first time, with a seat. */
export const isNew = (id, token) => Boolean(token) && !seats().some((seat) => seat.id === id && seat.names);

/** The token of this browser's seat: from the address, from an invitation, or from last time. */
export async function token(id, part) {
  const hash = location.hash.slice(1);
  let mine = hash || seatAt(id);
  if (hash.startsWith("join=")) {
    const invitation = hash.slice(5);
    const look = await get(`/api/tables/${id}`, { query: { since: 1000000 } });
    mine = seatAt(`join-${invitation}`); // the link is opened again
    if (!mine) {
      const name = await invited(part, look);
      mine = name === null ? null : (await post(`/api/tables/${id}/join`, { invitation, ...(name ? { name } : {}) })).token;
      if (name) myName(name);
      if (mine) keepSeat(`join-${invitation}`, mine);
    }
  }
  if (!mine || keepSeat(id, mine)) history.replaceState(null, "", location.pathname);
  else if (hash !== mine) history.replaceState(null, "", `#${mine}`);
  return mine;
}
