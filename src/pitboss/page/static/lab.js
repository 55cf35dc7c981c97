// Lab: choose bots and rules, simulate on all cores, and watch the shares settle. The page says the same command.

import { make } from "./dom.js";
import { parseKey, QUICK } from "./keys.js";
import { botsOf, dataOf, gameNameOf, gameOf, presetOf } from "./games.js";
import { figureOf, winShare, winsOf } from "./intervals.js";
import { drawPlot, swatch } from "./plot.js";
import { presetChooser } from "./seating.js";
import { Simulation, cores } from "./simulation.js";
import { number, share, t } from "./texts.js";

const SIZES = [1000, 10000, 100000, 1000000];
const MOST_POINTS = 160; // of a line in the plot
const DRAWN_EVERY = 150; // milliseconds: drawing takes time from the games

/** #/lab?spec=flip7:official&bots=stay-20,stay-25&games=10000&seed=1 */
export async function labPage(root, _, query) {
  const lab = new Lab(root, query);
  await lab.begin();
  return () => lab.leave();
}

class Lab {
  constructor(root, query) {
    this.root = root;
    this.preset = presetOf(query.get("spec") ?? "").text;
    this.bots = query.get("bots")?.split(",") ?? null;
    this.games = Number(query.get("games")) || 10000;
    this.seed = query.get("seed") ?? "1";
    this.run = 0;
  }

  async begin() {
    const part = (this.part = {
      seats: make("ol", { class: "seats" }),
      tools: make("div", { class: "line" }),
      problem: make("p", { class: "callout", role: "alert", hidden: true }),
      plot: make("div", { class: "plot-box" }),
      result: make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": t("lab.results") }),
      status: make("p", { class: "soft small", role: "status" }),
      command: make("code", {}),
      go: make("button", { class: "main big" }, t("lab.go")),
      stop: make("button", { type: "button", class: "big", hidden: true, onclick: () => this.simulation?.stop() }, t("lab.stop")),
    });
    const games = make("select", { "aria-label": t("lab.games"), onchange: () => { this.games = Number(games.value); this.#command(); } },
      ...[...new Set([...SIZES, this.games])].sort((a, b) => a - b).map((n) => make("option", { value: n, selected: n === this.games }, number(n))));
    const seed = make("input", { type: "text", inputmode: "numeric", value: this.seed, maxlength: 40, "aria-label": t("seed"), oninput: () => { this.seed = seed.value.trim() || "1"; this.#command(); } });
    const form = make("form", { class: "card", onsubmit: (event) => { event.preventDefault(); this.#go(); } },
      make("h2", {}, t("lab.bots")), part.seats, part.tools,
      make("div", { class: "line" }, make("label", { class: "field" }, t("lab.games"), games), make("label", { class: "field" }, t("seed"), seed)),
      make("div", { class: "line" }, part.go, part.stop), part.problem);
    this.root.replaceChildren(make("div", { class: "column wide" }, make("h1", {}, t("lab.title")), make("p", { class: "lead" }, t("lab.lead", { n: cores() })),
      make("div", { class: "two lab-two" }, make("div", { class: "choose" }, presetChooser(this.preset, (text) => this.#choose(text)), form),
        make("section", { class: "card results", "aria-label": t("lab.results") }, part.plot, part.status, part.result,
          make("p", { class: "small soft" }, t("lab.command")), make("div", { class: "command", tabindex: "0", role: "group", "aria-label": t("lab.command") }, part.command)))));
    await this.#choose(this.preset, this.bots);
  }

  async #choose(preset, bots = null) {
    this.preset = preset;
    this.game = await gameOf(gameNameOf(preset));
    this.known = botsOf(this.game, preset);
    const usual = this.known.filter((bot) => bot.usual);
    this.bots = bots ?? (usual.length ? usual : this.known.slice(0, 2)).map((bot) => bot.name);
    this.#show();
  }

  get #alone() {
    return this.game.preset(this.preset).seats[1] === 1;
  }

  #show() {
    const { part } = this;
    const [least, most] = this.#alone ? [1, 8] : this.game.preset(this.preset).seats;
    this.bots = this.bots.slice(0, most);
    while (this.bots.length < least) this.bots.push(this.known[0].name);
    part.seats.replaceChildren(...this.bots.map((name, i) => {
      const names = [...new Set([...this.known.map((bot) => bot.name), name])];
      const which = make("select", { "aria-label": t("play.bot", { n: i + 1 }), onchange: () => { this.bots[i] = which.value; this.#show(); } },
        ...names.map((each) => make("option", { value: each, selected: each === name }, each)));
      const remove = make("button", { type: "button", class: "quiet", disabled: this.bots.length <= least, "aria-label": t("play.remove", { name }), onclick: () => { this.bots.splice(i, 1); this.#show(); } }, "✕");
      return make("li", {}, swatch(i), make("span", { class: "stack" }, which, make("small", { class: "soft" }, this.known.find((bot) => bot.name === name)?.about ?? "")), remove);
    }));
    part.tools.replaceChildren(make("button", { type: "button", disabled: this.bots.length >= most, onclick: () => {
      this.bots.push((this.known.find((bot) => !this.bots.includes(bot.name)) ?? this.known[0]).name);
      this.#show();
    } }, t("play.addBot")));
    this.#command();
  }

  #command() {
    const quoted = /^[\w:.,+-]+$/.test(this.preset) ? this.preset : `"${this.preset}"`;
    this.part.command.textContent = `pitboss simulate ${quoted} --bots ${this.bots.join(",")} --games ${this.games} --seed ${this.seed}`;
  }

  async #go() {
    const { part } = this;
    const number_ = (this.run += 1);
    part.problem.hidden = true;
    part.go.disabled = true;
    part.stop.hidden = false;
    this.root.dataset.state = "running";
    try {
      const key = parseKey(this.seed, QUICK);
      this.simulation = new Simulation(await dataOf(this.game.name));
      const lineUps = this.#alone ? this.bots.map((bot) => [bot]) : [[...this.bots]];
      const found = [];
      this.lines = this.bots.map((name) => ({ name, points: [] }));
      for (const [i, bots] of lineUps.entries()) {
        found.push(await this.simulation.play({ preset: this.preset, bots, key, games: this.games }, (sums) => this.#progress(bots, i, sums)));
        if (found.at(-1).stopped) break;
      }
      if (number_ === this.run) this.#finish(lineUps, found);
    } catch (problem) {
      part.problem.hidden = false;
      part.problem.textContent = problem.message;
      this.root.dataset.state = "failed";
    } finally {
      this.simulation?.end();
      part.go.disabled = false;
      part.stop.hidden = true;
    }
  }

  #estimate(sums, bot) {
    return this.#alone ? figureOf(sums, bot, this.#shown) : winShare(sums, bot);
  }

  get #shown() {
    return this.game.description.figures.find((figure) => figure.per < 0) ?? this.game.description.figures[0];
  }

  #progress(bots, first, sums) {
    const games = sums.blocks * bots.length;
    bots.forEach((_, bot) => {
      const { points } = this.lines[first + bot];
      points.push({ games, ...this.#estimate(sums, bot) });
      if (points.length > MOST_POINTS) this.lines[first + bot].points = points.filter((_, i) => i % 2 || i === points.length - 1);
    });
    this.drawing ??= setTimeout(() => {
      this.drawing = null;
      drawPlot(this.part.plot, this.lines, this.games, !this.#alone);
      this.#table([bots], [{ sums }], first);
      this.part.status.textContent = t("lab.progress", { done: games, all: this.games });
    }, DRAWN_EVERY);
  }

  #finish(lineUps, found) {
    clearTimeout(this.drawing);
    this.drawing = null;
    drawPlot(this.part.plot, this.lines, this.games, !this.#alone);
    this.#table(lineUps, found, 0);
    const games = found.reduce((sum, each, i) => sum + each.sums.blocks * lineUps[i].length, 0);
    const seconds = found.reduce((sum, each) => sum + each.seconds, 0);
    this.part.status.textContent = t("lab.done", { games, seconds: `${seconds.toFixed(1)}`, speed: Math.round(games / seconds), cores: cores() });
    this.root.dataset.state = "done";
  }

  /** A line for each bot; those who win most come first. */
  #table(lineUps, found, first) {
    const { figures } = this.game.description;
    const alone = this.#alone;
    const rows = found.flatMap(({ sums }, i) => lineUps[i].map((name, bot) => ({ name, at: first + i + bot, sums, bot })));
    rows.sort((a, b) => winShare(b.sums, b.bot).mean - winShare(a.sums, a.bot).mean);
    const form = (estimate, percent) => {
      const say = (value) => (percent ? share(value, 2) : number(value, 2));
      return estimate.low === null ? say(estimate.mean) : `${say(estimate.mean)} ± ${say((estimate.high - estimate.low) / 2)}`;
    };
    this.part.result.replaceChildren(make("table", { class: "plain" }, make("caption", { class: "unseen" }, t("lab.results")),
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, t("bot")), ...(alone ? [] : [make("th", { scope: "col", class: "num" }, t("lab.wins")), make("th", { scope: "col", class: "num" }, t("lab.share"))]),
        ...figures.map((figure) => make("th", { scope: "col", class: "num" }, figure.about)))),
      make("tbody", {}, ...rows.map(({ name, at, sums, bot }) => make("tr", { "data-bot": name }, make("th", { scope: "row" }, swatch(at), " ", name),
        ...(alone ? [] : [make("td", { class: "num", "data-wins": winsOf(sums, bot) }, number(winsOf(sums, bot))), make("td", { class: "num", "data-share": winShare(sums, bot).mean }, form(winShare(sums, bot), true))]),
        ...figures.map((figure) => make("td", { class: "num" }, form({ ...figureOf(sums, bot, figure), ...(alone && figure === this.#shown ? {} : { low: null }) }, figure.percent))))))));
  }

  leave() {
    this.run += 1;
    clearTimeout(this.drawing);
    this.simulation?.end();
  }
}
