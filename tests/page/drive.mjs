// Does the tests' jobs in node: they come as JSON from the standard input, results go to the standard output.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { openGame } from "../../src/pitboss/page/static/engine.js";
import { does } from "./jobs.mjs";

const { folder, jobs } = JSON.parse(readFileSync(0, "utf8"));
const games = new Map(), wasm = (name) => readFileSync(`${folder}/${name}.wasm`), hasher = () => createHash("sha256");

async function gameOf(name) {
  if (!games.has(name)) {
    const description = JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"));
    games.set(name, await openGame({ description, wasm: wasm(name) }));
  }
  return games.get(name);
}

const results = [];
for (const job of jobs) results.push(await does[job.do](await gameOf(job.spec.split(":")[0]), { ...job, hasher, wasm }));
process.stdout.write(JSON.stringify(results));
