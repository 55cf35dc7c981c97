// The way back: the games in which this browser holds a seat.

import { make, parts } from "./api.js";
import { seats } from "./seats.js";

const part = parts(document);
const mine = seats().filter((seat) => seat.names);
part.mine.hidden = mine.length === 0;
part.games.replaceChildren(...mine.map((seat) => make("li", {},
  make("a", { href: `/table/${seat.id}` }, seat.names.join(" · ")), make("span", { class: "soft" }, `${seat.game}, ${seat.over ? "finished" : "in progress"}`))));
