// Many games on all cores. Blocks are handed out in chunks; the result is the same however many workers there are.

import { WORKER } from "./catalogue.js";
import { added } from "./intervals.js";

const CHUNK = 1000; // games
const AHEAD = 3; // chunks that a worker has been asked for, so that it never waits for a page that is drawing

export const cores = () => Math.max(1, Math.min(navigator.hardwareConcurrency || 2, 16));

let address = null; // of the worker's script

/** A worker of this page; its script is part of ours, because a page from a folder may load no other. */
export function startWorker() {
  address ??= URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
  return new Worker(address);
}

/** Play blocks of a table; `progress(sums, blocksDone)` is called as chunks come in. Resolves with {sums, counts, seconds}. */
export class Simulation {
  constructor(data, workers = cores()) {
    this.workers = Array.from({ length: workers }, startWorker);
    this.opened = this.workers.map((worker) => answer(worker, { open: data }));
    this.stopped = false;
  }

  async play({ preset, bots, key, games }, progress) {
    const blocks = Math.ceil(games / bots.length);
    const size = Math.max(1, Math.floor(CHUNK / bots.length));
    const chunks = Array.from({ length: Math.ceil(blocks / size) }, (_, number) => ({ number, first: number * size, blocks: Math.min(size, blocks - number * size) }));
    const found = new Array(chunks.length).fill(null);
    let next = 0, sums = null;
    const began = performance.now();
    const lanes = Array.from({ length: AHEAD }, () => [...this.workers.entries()]).flat();
    await Promise.all(lanes.map(async ([i, worker]) => {
      await this.opened[i];
      while (next < chunks.length && !this.stopped) {
        const chunk = chunks[next];
        next += 1;
        found[chunk.number] = await answer(worker, { ...chunk, preset, bots, key });
        sums = sums ? added([sums, found[chunk.number].sums]) : found[chunk.number].sums;
        progress(sums, blocks);
      }
    }));
    const done = found.filter(Boolean);
    const counts = { decisions: 0, cards: 0, cut: 0 };
    for (const each of done) for (const name of Object.keys(counts)) counts[name] += each.counts[name];
    return { sums: added(done.map((each) => each.sums)), counts, seconds: (performance.now() - began) / 1000, stopped: this.stopped };
  }

  /** No chunk is begun any more. */
  stop() {
    this.stopped = true;
  }

  end() {
    this.stopped = true;
    for (const worker of this.workers) worker.terminate();
  }
}

/** What a worker answers; it does so in the order in which it is asked. */
export function answer(worker, question) {
  if (!worker.asked) {
    worker.asked = [];
    worker.onmessage = ({ data }) => {
      const [resolve, reject] = worker.asked.shift();
      if (data.problem) reject(new Error(data.problem));
      else resolve(data);
    };
    worker.onerror = (event) => {
      for (const [, reject] of worker.asked.splice(0)) reject(new Error(event.message || "a worker stopped"));
    };
  }
  return new Promise((resolve, reject) => {
    worker.asked.push([resolve, reject]);
    worker.postMessage(question);
  });
}
