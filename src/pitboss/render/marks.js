// Signs that cards and seats carry, drawn by us: each in a square of 100, filled, or as a line. A game names them in its
// data; a name that is not here is drawn as the text it is, so that any sign will do.

import { draw } from "./svg.js";

const FILL = {
  spade: "M50 6C62 26 92 40 92 63C92 80 70 86 57 72C58 82 62 90 68 94H32C38 90 42 82 43 72C30 86 8 80 8 63C8 40 38 26 50 6Z",
  heart: "M50 92C30 74 6 56 6 33C6 8 38 4 50 27C62 4 94 8 94 33C94 56 70 74 50 92Z",
  diamond: "M50 4L86 50L50 96L14 50Z",
  club: "M50 6C66 6 76 20 70 34C68 39 64 42 62 45C82 36 96 48 94 64C92 82 68 86 57 70C58 82 62 90 68 94H32C38 90 42 82 43 70C32 86 8 82 6 64C4 48 18 36 38 45C36 42 32 39 30 34C24 20 34 6 50 6Z",
  crown: "M10 82L4 28L30 48L50 14L70 48L96 28L90 82Z",
  star: "M50 5L63 36L97 39L71 61L79 94L50 76L21 94L29 61L3 39L37 36Z",
  skull: "M50 6C22 6 8 26 10 48C11 60 18 66 24 70V90H38V80H45V90H55V80H62V90H76V70C82 66 89 60 90 48C92 26 78 6 50 6ZM33 62A11 11 0 1 1 33 40A11 11 0 1 1 33 62ZM67 62A11 11 0 1 1 67 40A11 11 0 1 1 67 62Z",
  clover: "M50 50C30 50 12 44 14 28C16 12 38 8 50 28C62 8 84 12 86 28C88 44 70 50 50 50ZM47 52C47 72 34 84 20 80C6 74 8 52 26 46C8 40 12 22 26 20M53 52C53 72 66 84 80 80C94 74 92 52 74 46C92 40 88 22 74 20M50 50L58 96H46Z",
  shield: "M50 4L90 18V48C90 74 72 90 50 97C28 90 10 74 10 48V18ZM45 66L76 33L67 25L45 49L34 38L26 47Z",
  hand: "M24 54V30C24 21 36 21 36 30V20C36 10 49 10 49 20V16C49 7 62 7 62 16V24C62 15 75 15 75 24V62C75 84 64 95 48 95C34 95 28 88 21 76L9 58C5 49 15 44 20 51Z",
  jester: "M50 30C40 8 22 8 14 26C4 22 2 40 12 46L28 66H72L88 46C98 40 96 22 86 26C78 8 60 8 50 30ZM26 74H74V88H26Z",
  bolt: "M58 2L16 58H44L36 98L84 38H54Z",
  check: "M8 54L24 38L42 56L78 14L93 28L43 88Z",
};
const LINE = {
  snow: "M50 6V94M12 28L88 72M88 28L12 72M38 12L50 24L62 12M38 88L50 76L62 88M14 44L30 39L27 22M86 56L70 61L73 78M86 44L70 39L73 22M14 56L30 61L27 78",
  void: "M50 12A38 38 0 1 1 49.9 12ZM24 76L76 24",
  swap: "M10 36H82L64 16M90 66H18L36 86",
  steal: "M50 92V30M24 54L50 26L76 54M14 10H86",
  bin: "M14 26H86M38 24V12H62V24M22 26L28 92H72L78 26M42 42V76M58 42V76",
  plus: "M50 12V88M12 50H88",
  again: "M84 50A34 34 0 1 1 70 22M72 4V26H50",
  crack: "M56 2L38 32L58 46L34 66L52 78L44 98",
  clock: "M50 10A40 40 0 1 1 49.9 10ZM50 28V52L66 62",
};
const FANS = { three: [-24, 0, 24], four: [-33, -11, 11, 33], one: [0] }; // cards fanned out: how far each is turned

/** A sign in a square of this size, its corner at 0 0. */
export function mark(name, size) {
  const scale = { class: "mark", transform: `scale(${size / 100})` };
  if (name in FANS) return draw("g", scale, ...FANS[name].map((turn) => draw("rect", { class: "mark-card", x: 30, y: 14, width: 40, height: 58, rx: 6, transform: `rotate(${turn} 50 104)` })));
  if (name in FILL) return draw("path", { ...scale, class: "mark solid", d: FILL[name], "fill-rule": "evenodd" });
  if (name in LINE) return draw("path", { ...scale, class: "mark line", d: LINE[name] });
  return draw("text", { ...scale, class: "mark solid", x: 50, y: 80, "font-size": 86, "text-anchor": "middle" }, name);
}
