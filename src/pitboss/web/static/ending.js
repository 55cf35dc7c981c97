// The end of a game: the result, another game, the story of this one, and how to show it to others.

import { amount, drawCurve } from "/shared/story.js";
import { motion } from "/shared/motion.js";
import { copyable, get, make, sentence } from "./api.js";
import { keepRegret, keepResult } from "./results.js";

const ALONG = 6; // seconds after which those at the table are taken along to the next game

/** All parts of a story, as they are worked out; `tell(done, all)` hears how far it is. `goOn` may end it. */
export async function storyOf(id, tell, goOn = () => true) {
  const points = [];
  for (;;) {
    const part = await get(`/api/stories/${id}`, { query: { have: points.length } });
    points.push(...part.points);
    tell(part.done, part.all);
    if (part.done >= part.all) return { ...part, points };
    if (!goOn()) return null;
  }
}

/** What the decisions of a seat cost in all, but for those that others made for it. */
export function regretOf({ points }, seat, stood = []) {
  const made = points.filter((point) => point.decision?.seat === seat && !stood.some((each) => each.step === point.step));
  const [first] = made;
  const counted = made.filter(({ decision }) => decision.unit === first.decision.unit);
  return first ? { lost: counted.reduce((sum, { decision }) => sum + decision.lost, 0), decisions: counted.length, unit: first.decision.unit, percent: first.decision.percent } : null;
}

/** Who won, in two or three words. */
export function headline({ ending, names, mine }) {
  const { winners } = ending;
  if (winners.length === 1) return mine.length === 1 && mine[0] === winners[0] ? "You win" : `${names[winners[0]]} wins`;
  return winners.length ? "A tie" : "No winner";
}

/** What is shown when a game is over: the panel with the result, and `after`, where moves were chosen before. */
export class Ending {
  constructor(panel, after, id, origin, again) {
    Object.assign(this, { panel, after, id, origin, again, story: null, leaving: null, told: "", stood: [] });
  }

  show(look) {
    const { ending, next, names, mine } = look;
    this.panel.hidden = !ending;
    const now = JSON.stringify([ending, next]);
    if (!ending || this.told === now) return;
    this.told = now;
    if (mine.length) keepResult({ id: this.id, title: look.title, game: look.game, names, seat: mine.length === 1 ? mine[0] : null, scores: ending.scores, winners: ending.winners, when: new Date().toISOString() });
    this.curve ??= make("div", { class: mine.length && names.length > 1 ? "ending-story awaited" : "ending-story" });
    this.panel.replaceChildren(make("h2", {}, headline(look)), ranking(look), this.curve,
      make("div", { class: "line" }, make("a", { class: "button", href: `/story/${this.id}` }, "The story"), make("a", { class: "button", href: ending.replay }, "Replay")),
      make("details", {}, make("summary", {}, "Share"), make("p", { class: "small" }, "With this link, anybody can see how it went. It gives no seat away."),
        make("div", { class: "line grow" }, ...copyable(`${this.origin}/story/${this.id}`, "Link to the story"))));
    this.after.replaceChildren(...this.#next(look), make("a", { class: "button down", href: "#ending", onclick: (event) => this.#goThere(event) }, "How it went"));
    if (!this.story && mine.length) this.#tell(look); // who only watched may ask for it
  }

  /** Another game, or the way to it. */
  #next({ next, mine, host }) {
    if (next) {
      const address = `/table/${next.table}${next.token && `#${next.token}`}`;
      const go = make("a", { class: "button main", href: address }, "To the next game");
      return mine.length ? this.#takeAlong(go) : [go];
    }
    if (!mine.length && !host) return [];
    return [make("button", { type: "button", class: "main", onclick: () => this.again(false) }, "Play again"),
      make("button", { type: "button", onclick: () => this.again(true) }, "Same deal")];
  }

  /** On a narrow screen the panel lies below the table. */
  #goThere(event) {
    event.preventDefault(); // the part of an address behind # is a seat's
    this.panel.scrollIntoView({ behavior: motion() === "off" ? "auto" : "smooth" });
    this.panel.focus({ preventScroll: true });
  }

  /** Somebody at the table plays on, and so does everybody who does not say otherwise. */
  #takeAlong(go) {
    let left = ALONG;
    const said = make("p", { role: "status" }, "The others play on.");
    const stay = make("button", { type: "button", onclick: () => {
      clearInterval(this.leaving);
      stay.remove();
      said.textContent = "The others play on without you, until you come.";
    } }, "Stay here");
    const count = () => {
      go.textContent = `To the next game (${left})`;
      if (left <= 0) location.assign(go.href);
      left -= 1;
    };
    clearInterval(this.leaving);
    this.leaving = setInterval(count, 1000);
    count();
    return [said, go, stay];
  }

  async #tell({ names, mine }) {
    this.story = "asked";
    const bar = make("progress", { max: 1, value: 0, "aria-label": "The story is being worked out" });
    this.curve.replaceChildren(make("p", { class: "soft small" }, "Working out how it went …"), bar);
    try {
      this.story = await storyOf(this.id, (done, all) => { bar.value = done / all; });
    } catch (problem) {
      return void this.curve.replaceChildren(make("p", { class: "soft small" }, sentence(problem.message)));
    }
    const regret = mine.length === 1 ? regretOf(this.story, mine[0], this.stood) : null;
    if (regret) keepRegret(this.id, regret);
    this.curve.replaceChildren(
      ...(names.length > 1 ? [make("p", { class: "soft small" }, "Chances to win, estimated"), drawCurve({ ...this.story, names }, { width: 360, height: 190, mine })] : []),
      ...(regret ? [make("p", { class: "small" }, `A decision of yours gave away ${amount(regret.lost / regret.decisions, regret)} on average, estimated.`)] : []));
  }
}

function ranking({ ending, names }) {
  const order = names.map((_, i) => i).sort((a, b) => ending.winners.includes(b) - ending.winners.includes(a) || ending.scores[b] - ending.scores[a]);
  const head = make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "who"), make("th", { scope: "col", class: "num" }, "score"), make("th", { scope: "col" }, make("span", { class: "unseen" }, "result"))));
  return make("table", { class: "plain" }, head, make("tbody", {}, ...order.map((i) => make("tr", {},
    make("td", {}, names[i]), make("td", { class: "num" }, `${ending.scores[i]}`), make("td", {}, ending.winners.includes(i) ? "★ wins" : "")))));
}
