// The games that this page has. A game is loaded when somebody wants it: a script with its data, its rules as WebAssembly.

import { GAMES } from "./catalogue.js";
import { openGame } from "./engine.js";
import { language, t } from "./texts.js";
import { speaker } from "./words.js";

export { GAMES };

const scripts = new Map(); // by name: the promise of a game's data
const opened = new Map(); // by name: the promise of a game
const speakers = new Map(); // by rule book and language

/** The data of a game: {description, wasm}. */
export function dataOf(name) {
  if (!scripts.has(name)) {
    scripts.set(name, new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `games/${encodeURIComponent(name)}.js`;
      script.onload = () => resolve(unpacked(globalThis.pitbossGames[name]));
      script.onerror = () => {
        scripts.delete(name);
        reject(new Error(t("game.missing", { name: GAMES.find((game) => game.name === name)?.title ?? name })));
      };
      document.head.append(script);
    }));
  }
  return scripts.get(name);
}

/** A game as it is written, each part compressed, as the engine wants it. */
async function unpacked({ description, tables, wasm }) {
  const parts = await Promise.all([description, wasm, ...tables].map(inflate));
  const texts = parts.slice(2).map((bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")));
  return { description: { ...JSON.parse(new TextDecoder().decode(parts[0])), tables: texts }, wasm: parts[1] };
}

async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A game, ready to play. */
export function gameOf(name) {
  if (!opened.has(name)) opened.set(name, dataOf(name).then((data) => openGame(data)));
  return opened.get(name);
}

/** Who tells what happens at a table, in the language of the page. */
export function speakerOf(game, preset) {
  const key = `${preset} ${language()}`;
  if (!speakers.has(key)) speakers.set(key, speaker(game.description.words, language(), preset));
  return speakers.get(key);
}

/** The rule book with this text, or the first of a game of this name, or the first of all. */
export function presetOf(text) {
  const all = GAMES.flatMap((game) => game.presets);
  return all.find((preset) => preset.text === text) ?? all.find((preset) => preset.text.startsWith(`${text}:`)) ?? all[0];
}

export const gameNameOf = (preset) => preset.split(":")[0];

/** The bots of a rule book that do not think for long, and the usual ones among them. */
export function botsOf(game, preset) {
  const { bots, lineUp } = game.preset(preset);
  const names = [...new Set([...lineUp, ...bots.map((bot) => bot.name)])];
  return names.filter((name) => seatable(game, preset, name)).map((name) => ({ name, about: aboutBot(bots, name), usual: lineUp.includes(name) }));
}

function seatable(game, preset, name) {
  try {
    return Boolean(game.entrant(preset, name));
  } catch {
    return false;
  }
}

/** What a bot does; one with a number says it. */
function aboutBot(bots, name) {
  const plain = bots.find((bot) => bot.name === name), numbered = bots.find((bot) => bot.number && name.startsWith(bot.number.prefix));
  return plain?.about ?? numbered?.about.replace(new RegExp(`\\b${numbered.usage.split("-").at(-1)}\\b`), name.slice(numbered.number.prefix.length)) ?? "";
}
