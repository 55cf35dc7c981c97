// A card table in SVG. It draws scenes and knows no game: a scene is
//
//   {title, caption, seats: [{name, rows: [[face]], badges, caption, to_act, out, number?}], centre: [[name, [face]]]}
//
// with faces {text, kind, name, faded}. Names and texts are only ever text, never markup.
//
//   const table = new Table(element);
//   table.draw(scene);
//
// What a seat may ever need is reserved (`reserve`, and by every `draw`), so that nothing jumps about
// while cards come and go.

const SVG = "http://www.w3.org/2000/svg";
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif";
const PAD = 12; // around the table
const GAP = 10; // between seats
const INSET = 11; // inside a seat
const LEAST_CARD = 27;
const MOST_CARD = 84;
const PROPORTION = 1.36; // of a card: height to width
const WIDE = 1.75; // a card that carries words instead of a sign
const USUAL = 4; // cards for which a seat has room before they come
const RARE = 0.35; // rows with cards in fewer seats than this share a line with their neighbour

const ruler = document.createElement("canvas").getContext("2d");

function measure(text, size, weight = 400) {
  ruler.font = `${weight} ${size}px ${FONT}`;
  return ruler.measureText(text).width;
}

/** Cut a text that is too long for a width, and say so with an ellipsis. */
function fit(text, width, size, weight = 400) {
  if (measure(text, size, weight) <= width) return text;
  const signs = [...text];
  while (signs.length && measure(signs.join("") + "…", size, weight) > width) signs.pop();
  return signs.join("") + "…";
}

/** Break a text into lines of at most this width. */
function wrap(text, width, size, weight = 400) {
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && measure(longer, size, weight) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => fit(line, width, size, weight));
}

function draw(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function words(x, y, text, size, kind, more = {}) {
  return draw("text", { x, y, "font-size": size, class: kind, ...more }, text);
}

/** Larger cards are better; with equally large ones, seats that are neither too long nor too short. */
const worth = (plan) => Math.round(plan.card) - Math.abs(Math.log(plan.seatWidth / plan.seatHeight / 1.5));
const between = (low, x, high) => Math.max(low, Math.min(x, high));
const isWide = (face) => face.kind === "action";
const sameFace = (a, b) => a.text === b.text && a.kind === b.kind && a.name === b.name;

/** Which faces of a row were not there before: each card of the old row explains one of the new. */
function fresh(row, before) {
  const old = [...before];
  return row.map((face) => {
    const place = old.findIndex((other) => sameFace(face, other));
    if (place >= 0) old.splice(place, 1);
    return place < 0;
  });
}

/** A card as words, for those who do not see it. */
const spoken = (row) => row.map((face) => face.name).join(", ");

export class Table {
  /** Draws into an element, and again whenever the element changes its size; its own few words may be others. */
  constructor(element, words = {}) {
    this.element = element;
    this.words = { toAct: "to act", out: "out", ...words };
    this.scene = null;
    this.before = null;
    this.size = null;
    this.picks = [];
    this.pointed = null; // the place of the pick that the keyboard points at
    this.forget();
    new ResizeObserver(() => {
      if (this.scene && this.#measure()) this.#paint();
    }).observe(element);
  }

  /** Drop what was reserved, for another game. */
  forget() {
    this.plan = this.columns = null;
    this.known = new WeakSet();
    this.most = { looked: 0, seats: 0, rows: [], used: [], centre: 0, badges: new Map(), caption: "", sceneCaption: "" };
  }

  /** Keep room for this scene. */
  reserve(scene) {
    if (this.known.has(scene)) return;
    this.known.add(scene);
    this.plan = null;
    const most = this.most;
    most.seats = Math.max(most.seats, scene.seats.length);
    most.centre = Math.max(most.centre, scene.centre.length);
    if (scene.caption.length > most.sceneCaption.length) most.sceneCaption = scene.caption;
    for (const seat of scene.seats) {
      if (this.known.has(seat)) continue;
      this.known.add(seat);
      most.looked += 1;
      seat.rows.forEach((row, i) => {
        const room = row.reduce((sum, face) => sum + (isWide(face) ? WIDE : 1), 0);
        most.rows[i] = Math.max(most.rows[i] ?? 0, room);
        most.used[i] = (most.used[i] ?? 0) + (row.length > 0);
      });
      if (seat.badges.length) most.badges.set(seat.badges.join("\n"), seat.badges);
      if (seat.caption.length > most.caption.length) most.caption = seat.caption;
    }
  }

  /** Show a scene; cards that were not in `before` are marked as new. */
  draw(scene, before = this.scene) {
    this.reserve(scene);
    this.scene = scene;
    this.before = before;
    if (!this.size) this.#measure();
    this.#paint();
  }

  /** Mark what can be clicked, or reached by Tab: seats [2, null], and cards [0, 1], those of a seat's last row first. */
  pick(picks) {
    this.picks = picks;
    this.pointed = null;
    this.#markPicks();
  }

  /** The seat, and its card or null, that an event on the table is about. */
  static touched(event) {
    const seat = event.target.closest("[data-seat]");
    const card = event.target.closest("[data-place]");
    return seat ? [Number(seat.dataset.seat), card ? Number(card.dataset.place) : null] : null;
  }

  /** Let the keyboard point at a card that can be picked: the first, or one further on; also when it is drawn again. */
  focus(step = 0) {
    const cards = [...this.element.querySelectorAll(".card.pick")];
    this.pointed = (Math.max(cards.indexOf(document.activeElement), 0) + step + cards.length) % cards.length;
    cards[this.pointed]?.focus({ preventScroll: true });
  }

  #markPicks() {
    for (const node of this.element.querySelectorAll(".pick")) {
      node.classList.remove("pick");
      node.removeAttribute("tabindex");
      if (node.matches(".card")) node.removeAttribute("role");
    }
    for (const [seat, card] of this.picks) {
      const node = this.element.querySelector(`[data-seat="${seat}"]${card === null ? "" : ` [data-place="${card}"]`}`);
      node?.classList.add("pick");
      if (card !== null) node?.setAttribute("tabindex", "0"); // seats have buttons of their own
      if (card !== null) node?.setAttribute("role", "button");
    }
    this.element.querySelectorAll("[data-seat]").forEach((seat) => seat.setAttribute("role", seat.querySelector(".pick") ? "group" : "img"));
  }

  /** Take the room there is without us, and say whether it is another than before; height 0: as high as we like. */
  #measure() {
    const drawn = [...this.element.childNodes];
    this.element.replaceChildren();
    const { width, height } = this.element.getBoundingClientRect();
    this.element.replaceChildren(...drawn);
    const changed = this.size?.width !== width || this.size.height !== height;
    if (changed) [this.size, this.plan] = [{ width, height }, null];
    return changed;
  }

  /** The rows of cards by line: one that is mostly empty lies at the right end of the line below. */
  #lines() {
    const { used, looked } = this.most;
    const rows = this.most.rows.map((room, i, all) => (i === all.length - 1 ? Math.max(room, USUAL) : room));
    const lines = [];
    let waiting = [];
    rows.forEach((room, i) => {
      if (!room) return;
      if (i < rows.length - 1 && used[i] < RARE * looked) waiting.push(i);
      else {
        lines.push([i, ...waiting]);
        waiting = [];
      }
    });
    return waiting.length ? [...lines, waiting] : lines;
  }

  /** Where everything goes: as many columns as give the largest cards for which there is room. */
  #layout() {
    const { width, height } = this.size;
    const { seats } = this.most;
    const narrow = width < 560;
    const room = height > 200 ? height : 0; // 0: the page scrolls, and only the width counts
    const least = narrow && seats <= 4 ? 260 : 148;
    const lines = this.#lines();
    const frameOf = (columns) => {
      const seatWidth = Math.min((width - 2 * PAD + GAP) / columns - GAP, 760);
      return { width, room, columns, lines, seatWidth, inner: seatWidth - 2 * INSET, narrow };
    };
    const before = this.columns;
    const alike = before?.seats === seats && before.width === width && Math.abs(height - before.height) < height * 0.3;
    if (alike) return this.#largest(frameOf(before.count));
    let best = null;
    for (let columns = 1; columns <= Math.max(1, seats); columns += 1) {
      const { seatWidth } = frameOf(columns);
      if (columns > 1 && (seatWidth < least || (!room && columns > 2 && seatWidth < 230))) break;
      const plan = this.#largest(frameOf(columns));
      const equal = plan.fits === best?.fits;
      if (!best || !room || (plan.fits && !equal) || (equal && worth(plan) > worth(best))) best = plan;
    }
    this.columns = { width, height, seats, count: best.columns }; // and so it stays: seats do not jump about in mid-game
    return best;
  }

  /** The largest cards with which a number of columns fits the height. */
  #largest(frame) {
    const widest = between(USUAL, Math.max(0, ...this.most.rows), 5.8); // longer rows overlap
    const top = between(LEAST_CARD, frame.inner / (widest * 1.09 + 0.1), frame.narrow ? 52 : MOST_CARD);
    for (let card = top; ; card = Math.max(LEAST_CARD, card - 1.5)) {
      const plan = this.#plan(card, frame);
      plan.fits = !frame.room || plan.height <= frame.room;
      if (plan.fits || card === LEAST_CARD) return plan;
    }
  }

  #plan(card, frame) {
    const { most } = this;
    const { width, columns, lines, inner, room } = frame;
    const size = between(12.5, card / 3.4, 19);
    const high = card * PROPORTION;
    const badgeLines = Math.max(0, ...[...most.badges.values()].map((badges) => pills(badges, inner, size).lines));
    const captionLines = most.caption ? wrap(most.caption, inner, size).length : 0;
    const seatHeight =
      size * 1.08 + 2 * INSET + 9 + lines.length * (high + 7) + captionLines * size * 1.3 + badgeLines * (size * 1.5 + 5);
    const small = Math.min(card, frame.narrow ? 34 : 48);
    const centreHeight = most.centre * (small * PROPORTION + 8);
    const beside = width >= 700;
    const titleHeight = 30 + wrap(most.sceneCaption, width - 2 * PAD, 14).length * 18;
    const head = PAD + (beside ? Math.max(titleHeight, centreHeight) : titleHeight + centreHeight) + 8;
    const height = head + Math.ceil(most.seats / columns) * (seatHeight + GAP) - GAP + PAD;
    const drop = Math.max(0, (room - height) / 2.2); // the seats lie in the middle of what is left
    return { ...frame, card, high, size, captionLines, seatHeight, small, beside, titleHeight, head, height, drop };
  }

  #paint() {
    if (!this.size.width) return; // not on the page yet; we are told when that changes
    const plan = (this.plan ??= this.#layout());
    const { scene, before } = this;
    const height = Math.max(plan.height, plan.room);
    const picture = draw("svg", {
      class: "table", width: plan.width, height, viewBox: `0 0 ${plan.width} ${height}`, role: "group",
      "aria-label": `${scene.title}. ${scene.caption}`, "font-family": FONT,
    });
    picture.append(this.#head(plan));
    const left = (plan.width - plan.columns * (plan.seatWidth + GAP) + GAP) / 2;
    scene.seats.forEach((seat, i) => {
      const x = left + (i % plan.columns) * (plan.seatWidth + GAP);
      const y = plan.drop + plan.head + Math.floor(i / plan.columns) * (plan.seatHeight + GAP);
      picture.append(this.#seat(seat, before?.seats[i], i, x, y, plan));
    });
    const held = document.activeElement === document.body || this.element.contains(document.activeElement);
    this.element.replaceChildren(picture);
    this.#markPicks();
    if (held && this.pointed !== null) this.element.querySelectorAll(".card.pick")[this.pointed]?.focus({ preventScroll: true });
  }

  #head(plan) {
    const { scene, before } = this;
    const group = draw("g", { class: "head" });
    const wide = plan.width - 2 * PAD;
    group.append(words(PAD + 2, PAD + 19, fit(scene.title, wide, 18, 650), 18, "title"));
    wrap(scene.caption, wide, 14).forEach((line, i) =>
      group.append(words(PAD + 2, PAD + 41 + 18 * i, line, 14, "soft")),
    );
    let y = plan.beside ? PAD : PAD + plan.titleHeight;
    const old = new Map(before?.centre ?? []);
    for (const [name, faces] of scene.centre) {
      const label = measure(name, 14) + 10;
      const space = Math.min(span(faces, plan.small), plan.beside ? wide / 2 - label : wide - label);
      const x = plan.beside ? plan.width - PAD - space : PAD + 2 + label;
      const high = plan.small * PROPORTION;
      const row = draw("g", { role: "img", "aria-label": `${name}: ${spoken(faces)}` });
      row.append(words(x - 10, y + high / 2 + 5, name, 14, "soft", { "text-anchor": "end" }));
      row.append(...cards(faces, fresh(faces, old.get(name) ?? []), x, y, space, plan.small));
      group.append(row);
      y += high + 8;
    }
    return group;
  }

  #seat(seat, before, number, x, y, plan) {
    const { size, inner, seatWidth, seatHeight } = plan;
    const state = [seat.to_act && this.words.toAct, seat.out && this.words.out, ...seat.badges].filter(Boolean).join(", ");
    const group = draw("g", {
      class: `seat${seat.to_act ? " to-act" : ""}${seat.out ? " out" : ""}`, transform: `translate(${x} ${y})`, role: "img", "data-seat": seat.number ?? number,
      "aria-label": [seat.name, state, seat.caption, ...seat.rows.map(spoken)].filter(Boolean).join(". "),
    });
    group.append(draw("rect", { class: "place", width: seatWidth, height: seatHeight, rx: 12 }));
    const bold = size * 1.08;
    const digits = `${seat.number ?? number}`; // a scene may begin at any seat
    const disc = Math.max(bold * 1.35, measure(digits, size * 0.85, 600) + 10);
    const turnText = `▶ ${this.words.toAct}`;
    const label = measure(turnText, size * 0.9, 650) + measure(seat.name, bold, 650) + disc + 25 > inner ? "▶" : turnText; // a name comes first
    const turn = seat.to_act ? measure(label, size * 0.9, 650) + 16 : 0;
    let down = INSET + bold;
    group.append(
      draw("rect", { class: "number-plate", x: INSET, y: down - bold, width: disc, height: bold * 1.3, rx: bold * 0.4 }),
      words(INSET + disc / 2, down - bold * 0.05, digits, size * 0.85, "plate-text", { "text-anchor": "middle" }),
      words(INSET + disc + 7, down, fit(seat.name, inner - disc - 9 - turn, bold, 650), bold, "name"),
    );
    if (seat.to_act) {
      const end = seatWidth - INSET;
      group.append(
        draw("rect", { class: "turn", x: end - turn, y: down - bold, width: turn, height: bold * 1.35, rx: bold * 0.67 }),
        words(end - turn / 2, down - bold * 0.03, label, size * 0.9, "turn-text", { "text-anchor": "middle" }),
      );
    }
    down += 11;
    for (const [main, ...aside] of plan.lines) {
      let room = inner;
      for (const i of aside) {
        const row = seat.rows[i] ?? [];
        if (!row.length) continue;
        const one = Math.max(...row.map((face) => widthOf(face, plan.card))); // less would stick out
        const wide = Math.min(span(row, plan.card), Math.max(inner * 0.45, one));
        group.append(...placed(cards(row, fresh(row, before?.rows[i] ?? []), INSET + room - wide, down, wide, plan.card), seat, i));
        room -= wide + 8;
      }
      const row = seat.rows[main] ?? [];
      group.append(...placed(cards(row, fresh(row, before?.rows[main] ?? []), INSET, down, room, plan.card), seat, main));
      down += plan.high + 7;
    }
    down += size * 1.05;
    wrap(seat.caption, inner, size).forEach((line, i) =>
      group.append(words(INSET, down + i * size * 1.3, line, size, "caption")),
    );
    down += (plan.captionLines - 1) * size * 1.3 + size * 0.55;
    for (const pill of pills(seat.badges, inner, size).list) {
      const high = size * 1.5;
      const at = down + pill.line * (high + 5);
      group.append(
        draw("rect", { class: "badge", x: INSET + pill.x, y: at, width: pill.width, height: high, rx: high / 2 }),
        words(INSET + pill.x + pill.width / 2, at + high * 0.7, pill.text, size * 0.92, "badge-text", { "text-anchor": "middle" }),
      );
    }
    group.append(draw("title", {}, seat.name));
    return group;
  }
}

/** The cards of a row, numbered as picks are: after those of the rows below. */
function placed(nodes, seat, row) {
  const below = seat.rows.slice(row + 1).reduce((sum, cards) => sum + cards.length, 0);
  nodes.forEach((node, i) => node.setAttribute("data-place", below + i));
  return nodes;
}

/** Badges as pills, on as many lines as they need. */
function pills(badges, room, size) {
  let [x, line] = [0, 0];
  const list = badges.map((badge) => {
    const text = fit(badge, room - 18, size * 0.92, 600);
    const width = measure(text, size * 0.92, 600) + 18;
    if (x && x + width > room) [x, line] = [0, line + 1];
    const pill = { text, width, x, line };
    x += width + 6;
    return pill;
  });
  return { list, lines: badges.length ? line + 1 : 0 };
}

const gapOf = (width) => Math.max(3, width * 0.09);
const widthOf = (face, width) => width * (isWide(face) ? WIDE : 1);

/** How wide a row is if no card covers another. */
const span = (faces, width) => faces.reduce((sum, face) => sum + widthOf(face, width) + gapOf(width), -gapOf(width));

/** Cards side by side; they overlap where there is not room for all. */
function cards(faces, isNew, x, y, room, width) {
  const widths = faces.map((face) => widthOf(face, width));
  const gap = gapOf(width);
  const total = span(faces, width);
  const squeeze = total > room && faces.length > 1 ? (room - widths.at(-1)) / (total - widths.at(-1)) : 1;
  let at = 0;
  return faces.map((face, i) => {
    const node = card(face, isNew[i], x + at, y, widths[i], width * PROPORTION, squeeze < 0.98 && i < faces.length - 1, squeeze);
    at += (widths[i] + gap) * squeeze;
    return node;
  });
}

/** One card. Kinds differ in shape as well as in colour. */
function card(face, isNew, x, y, width, height, covered, squeeze) {
  const known = ["number", "modifier", "action", "hidden"].includes(face.kind) ? face.kind : "other";
  const red = /[♥♦]/.test(face.text) ? " red" : "";
  const group = draw("g", {
    class: `card ${known}${red}${face.faded ? " faded" : ""}${isNew ? " new" : ""}`, transform: `translate(${x} ${y})`,
    "data-card": face.text,
  });
  const inside = draw("g", { class: "drop" });
  group.append(inside);
  const r = width * 0.11;
  if (isNew) inside.append(draw("rect", { class: "halo", x: -2.5, y: -2.5, width: width + 5, height: height + 5, rx: r + 3 }));
  inside.append(shape(known, width, height, r));
  if (known === "hidden") inside.append(hatch(width, height));
  const visible = covered ? width * Math.max(squeeze, 0.2) : width; // what the next card leaves of it
  const lines = known === "action" ? face.name.split(" ") : [face.text];
  const longest = lines.reduce((a, b) => (a.length > b.length ? a : b), "");
  const natural = measure(longest, 100, 700) / 100;
  const size = Math.min(known === "action" ? height * 0.25 : height * 0.4, (visible - Math.min(width * 0.16, visible * 0.25)) / natural);
  lines.forEach((line, i) => {
    const middle = height / 2 + size * 0.36 + (i - (lines.length - 1) / 2) * size * 1.12;
    inside.append(words(visible / 2, middle, line, size, "sign", { "text-anchor": "middle" }));
  });
  if (face.faded) inside.append(draw("path", { class: "strike", d: `M3 ${height - 3}L${width - 3} 3` }));
  group.append(draw("title", {}, face.name + (face.faded ? " (lost)" : "")));
  return group;
}

function shape(kind, width, height, r) {
  if (kind === "modifier") {
    const c = width * 0.2; // cut corners
    const d = `M${c} 0H${width - c}L${width} ${c}V${height - c}L${width - c} ${height}H${c}L0 ${height - c}V${c}Z`;
    return draw("path", { class: "face", d });
  }
  const rounding = kind === "action" ? height * 0.26 : r;
  const face = draw("rect", { class: "face", width, height, rx: rounding });
  if (kind !== "action") return face;
  const line = draw("rect", { class: "inner", x: 2.5, y: 2.5, width: width - 5, height: height - 5, rx: rounding - 2.5 });
  return draw("g", {}, face, line);
}

/** The back of a card. */
function hatch(width, height) {
  const [m, step] = [width * 0.12, width * 0.19];
  const [w, h] = [width - 2 * m, height - 2 * m];
  let d = "";
  for (let s = step; s < w + h; s += step) {
    const [x0, y0] = s < h ? [0, s] : [s - h, h];
    const [x1, y1] = s < w ? [s, 0] : [w, s - w];
    d += `M${m + x0} ${m + y0}L${m + x1} ${m + y1}`;
  }
  return draw("path", { class: "hatch", d });
}
