// Faces for people and bots, made from their names: a shape and a colour, so that neither has to be told by the other.
// People get one of sixteen shapes, bots one of four robots. Those who sit together get different ones.

import { draw } from "./svg.js";

/** Shapes in a square of 100. */
export const SIGNS = {
  cat: "M14 12L34 30H66L86 12V58C86 82 70 94 50 94C30 94 14 82 14 58ZM36 48A7 7 0 1 0 36.1 48ZM64 48A7 7 0 1 0 64.1 48ZM50 66L43 74H57Z",
  fox: "M6 8L34 26H66L94 8L86 58L50 96L14 58ZM28 44L46 54L34 62ZM72 44L54 54L66 62Z",
  owl: "M16 8L34 20H66L84 8V62C84 82 70 94 50 94C30 94 16 82 16 62ZM34 32A13 13 0 1 0 34.1 32ZM66 32A13 13 0 1 0 66.1 32ZM50 60L42 70L50 80L58 70Z",
  fish: "M6 50C22 20 52 18 70 42L94 20V80L70 58C52 82 22 80 6 50ZM30 38A7 7 0 1 0 30.1 38Z",
  rabbit: "M30 4C40 4 44 20 44 36H56C56 20 60 4 70 4C80 6 76 28 70 40C82 48 84 60 84 68C84 86 68 96 50 96C32 96 16 86 16 68C16 60 18 48 30 40C24 28 20 6 30 4ZM38 58A6 6 0 1 0 38.1 58ZM62 58A6 6 0 1 0 62.1 58Z",
  bear: "M22 8A17 17 0 0 1 38 18Q50 14 62 18A17 17 0 1 1 86 38Q90 46 90 54C90 80 72 94 50 94C28 94 10 80 10 54Q10 46 14 38A17 17 0 0 1 22 8ZM34 46A6 6 0 1 0 34.1 46ZM66 46A6 6 0 1 0 66.1 46ZM50 62A10 8 0 1 0 50.1 62Z",
  moon: "M62 6A46 46 0 1 0 95 66A38 38 0 1 1 62 6Z",
  sun: "M50 2L60 20L78 10L78 32L98 36L86 52L98 68L78 70L78 92L60 82L50 98L40 82L22 92L22 70L2 68L14 52L2 36L22 32L22 10L40 20Z",
  leaf: "M92 8C40 8 10 30 12 66L4 92L16 96L23 78C62 82 92 56 92 8ZM28 68L66 30L71 35L34 73Z",
  boat: "M46 4V62H10ZM54 16V62H88ZM6 68H94L78 94H22Z",
  bell: "M50 4A9 9 0 0 1 59 14C74 18 81 30 81 46V62L93 78H7L19 62V46C19 30 26 18 41 14A9 9 0 0 1 50 4ZM37 84H63A13 12 0 0 1 37 84Z",
  mushroom: "M50 8C78 8 94 28 94 46C94 54 90 56 84 56H64L68 88C68 94 62 96 50 96C38 96 32 94 32 88L36 56H16C10 56 6 54 6 46C6 28 22 8 50 8ZM34 22A8 8 0 1 0 34.1 22ZM64 18A7 7 0 1 0 64.1 18ZM78 36A5 5 0 1 0 78.1 36Z",
  tree: "M50 2L82 40H66L92 74H57V96H43V74H8L34 40H18Z",
  house: "M50 4L98 48H86V94H60V64H40V94H14V48H2Z",
  kite: "M50 2L88 40L50 92L12 40ZM50 14V40H24ZM50 40H76L50 76Z",
  drop: "M50 2C66 30 85 44 85 64A35 33 0 0 1 15 64C15 44 34 30 50 2ZM30 64A20 19 0 0 0 50 84V76A12 11 0 0 1 38 64Z",
  "robot-1": "M44 2H56V16H82C88 16 92 20 92 26V84C92 90 88 94 82 94H18C12 94 8 90 8 84V26C8 20 12 16 18 16H44ZM33 34A10 10 0 1 0 33.1 34ZM67 34A10 10 0 1 0 67.1 34ZM26 70H74V78H26Z",
  "robot-2": "M20 2H30V16H70V2H80V16C88 16 92 20 92 26V84C92 90 88 94 82 94H18C12 94 8 90 8 84V26C8 20 12 16 20 16ZM20 34H80V54H20ZM38 70H62V78H38Z",
  "robot-3": "M50 6C80 6 92 26 92 54V94H8V54C8 26 20 6 50 6ZM24 40H42V58H24ZM58 40H76V58H58ZM26 74H34V84H26ZM46 74H54V84H46ZM66 74H74V84H66Z",
  "robot-4": "M50 4A10 10 0 0 1 56 22V30H90V94H10V30H44V22A10 10 0 0 1 50 4ZM50 42A15 15 0 1 0 50.1 42ZM50 50A7 7 0 1 1 49.9 50ZM28 80H72V86H28Z",
};
const TONES = ["red", "sky", "green", "plum", "brown", "teal", "orange", "blue", "violet", "olive"];
const OF_PEOPLE = Object.keys(SIGNS).filter((name) => !name.startsWith("robot")), OF_BOTS = Object.keys(SIGNS).filter((name) => name.startsWith("robot"));

/** A number that belongs to a text (FNV-1a). */
function numberOf(text) {
  let hash = 2166136261;
  for (const sign of text) hash = Math.imul(hash ^ sign.codePointAt(0), 16777619) >>> 0;
  return hash;
}

/** Faces {sign, tone} of those who sit together, {name, bot} each: by their names, and all different while shapes last. */
export function faces(seats) {
  const taken = new Set();
  return seats.map(({ name, bot }) => {
    const [signs, number] = [bot ? OF_BOTS : OF_PEOPLE, numberOf(name)];
    const of = (i) => ({ sign: signs[(number + i) % signs.length], tone: TONES[((number >>> 8) + (bot ? i : 0)) % TONES.length] });
    const tries = Array.from({ length: signs.length * (bot ? TONES.length : 1) }, (_, i) => of(i));
    const found = tries.find(({ sign, tone }) => !taken.has(bot ? `${sign} ${tone}` : sign)) ?? tries[0];
    taken.add(bot ? `${found.sign} ${found.tone}` : found.sign);
    return found;
  });
}

/** A face as a picture; the name stands beside it, so it is left out for those who do not see it. */
export const avatar = ({ sign, tone }) => draw("svg", { class: `avatar tone-${tone}`, viewBox: "-16 -16 132 132", "aria-hidden": "true" },
  draw("circle", { class: "avatar-ground", cx: 50, cy: 50, r: 66 }),
  draw("path", { class: "avatar-sign", d: SIGNS[sign], "fill-rule": "evenodd", transform: "translate(10 10) scale(.8)" }));
