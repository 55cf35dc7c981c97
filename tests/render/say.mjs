// Reads lines of JSON, each a call of words.js, and prints what it says: node say.mjs FOLDER LANGUAGE < calls
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { join } from "node:path";

const [folder, language] = process.argv.slice(2);
const load = (name) =>
  import(`data:text/javascript;base64,${readFileSync(join(folder, name)).toString("base64")}`);
const { speaker } = await load("words.js");
const { readRecord } = await load("layout.js");

let say, layout;
const view = (text) => readRecord(layout, Buffer.from(text, "base64"));
const calls = {
  open: ({ words, layout: shape, table }) => {
    say = speaker(words, language, table);
    layout = shape;
    return null;
  },
  event: ({ event, names, seat }) => say.event(event, names, seat),
  moments: ({ events, seat }) => say.moments(events, seat),
  question: ({ raw, names, seat }) => say.question(view(raw), names, seat),
  moves: ({ raw, moves, names, seat }) => moves.map((move) => say.move(view(raw), move, names, seat)),
  touches: ({ raw, moves, names, seat }) => moves.map((move) => say.touches(view(raw), move, names, seat)),
  scene: ({ raw, names, seat }) => say.scene(view(raw), names, seat),
  publicScene: ({ raw, names }) => say.publicScene(view(raw), names),
  rules: () => say.rules(),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { call, ...rest } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(calls[call](rest))}\n`);
}
