// Who plays, chosen before a game: the game, its rule book, people at this screen, and bots.

import { make, sentence } from "./dom.js";
import { GAMES, botsOf, gameNameOf, gameOf, presetOf } from "./games.js";
import { keep, recall } from "./store.js";
import { t } from "./texts.js";

/** The people and bots that usually play: you, and the bots that the game names. */
export async function usualSeats(preset) {
  const game = await gameOf(gameNameOf(preset));
  const [least, most] = game.preset(preset).seats;
  const bots = botsOf(game, preset).filter((bot) => bot.usual).map((bot) => bot.name);
  if (!bots.length) bots.push(...botsOf(game, preset).map((bot) => bot.name));
  const count = Math.min(Math.max(least, 3), most);
  const seats = [{ kind: "person", name: recall("name", "") }];
  bots.reverse(); // the strongest are named last
  for (let i = 0; seats.length < count; i += 1) seats.push({ kind: "bot", name: bots[i % bots.length] });
  return seats;
}

/** Names by which all seats can be told apart. */
export function namesOf(seats) {
  const names = seats.map((seat, i) => seat.name.trim() || t("player", { n: i + 1 }));
  return names.map((name, i) => (names.filter((other) => other === name).length > 1 ? `${name} (${i + 1})` : name));
}

/** Cards to choose a game and a rule book by; `chosen(text)` is called with every choice. */
export function presetChooser(current, chosen, fits = () => true) {
  return make("div", { class: "choosers" }, ...GAMES.filter((game) => game.presets.some(fits)).map((game) =>
    make("fieldset", { class: "presets" }, make("legend", {}, game.title), ...game.presets.filter(fits).map((preset) => {
      const radio = make("input", { type: "radio", name: "preset", value: preset.text, onchange: () => chosen(preset.text) });
      radio.checked = preset.text === current;
      return make("label", {}, radio, make("b", {}, preset.title), make("small", {}, sentence(preset.about)));
    }))));
}

/** A form of seats; `done` gets the preset and the seats. */
export async function seatForm(start, done) {
  let preset = presetOf(start).text;
  let seats = recall(`seats.${preset}`) ?? (await usualSeats(preset));
  let bots = [];
  const list = make("ol", { class: "seats" });
  const tools = make("div", { class: "line" });
  const problem = make("p", { class: "callout", role: "alert", hidden: true });
  const submit = make("button", { class: "main big" }, t("play.deal"));

  async function choose(text) {
    preset = text;
    seats = recall(`seats.${preset}`) ?? (await usualSeats(preset));
    await show();
  }

  async function show() {
    const game = await gameOf(gameNameOf(preset));
    bots = botsOf(game, preset);
    const [least, most] = game.preset(preset).seats;
    seats = seats.filter((seat) => seat.kind === "person" || bots.some((bot) => bot.name === seat.name)).slice(0, most);
    while (seats.length < least) seats.push({ kind: "bot", name: bots[0].name });
    list.replaceChildren(...seats.map((seat, i) => seatRow(seat, i, least)));
    const people = seats.filter((seat) => seat.kind === "person").length;
    const add = (kind) => () => {
      seats.push(kind === "bot" ? { kind, name: bots[seats.length % bots.length].name } : { kind, name: people ? "" : recall("name", "") });
      show();
    };
    tools.replaceChildren(
      make("button", { type: "button", disabled: seats.length >= most, onclick: add("bot") }, t("play.addBot")),
      make("button", { type: "button", disabled: seats.length >= most, onclick: add("person") }, t("play.addPerson")),
      make("span", { class: "soft small" }, least === most ? t("seats", { n: least }) : t("seats.range", { least, most })));
  }

  function seatRow(seat, i, least) {
    const remove = make("button", { type: "button", class: "quiet", disabled: seats.length <= least, "aria-label": t("play.remove", { name: seat.name }), onclick: () => {
      seats.splice(i, 1);
      show();
    } }, "✕");
    const other = seat.kind === "person" ? "bot" : "person";
    const turn = make("button", { type: "button", class: `face ${seat.kind}`, title: t(`play.to.${other}`), "aria-label": t(`play.to.${other}.at`, { n: i + 1 }), onclick: () => {
      seats[i] = other === "bot" ? { kind: other, name: bots[i % bots.length].name } : { kind: other, name: "" };
      show().then(() => list.children[i].querySelector(".face").focus());
    } }, seat.kind === "person" ? "☺" : "⚙");
    if (seat.kind === "person") {
      const name = make("input", { type: "text", maxlength: 24, placeholder: t("player", { n: i + 1 }), "aria-label": t("play.name", { n: i + 1 }), value: seat.name, oninput: () => (seat.name = name.value) });
      return make("li", {}, turn, name, remove);
    }
    const about = make("small", { class: "soft" }, bots.find((bot) => bot.name === seat.name)?.about ?? "");
    const which = make("select", { "aria-label": t("play.bot", { n: i + 1 }), onchange: () => {
      seat.name = which.value;
      about.textContent = bots.find((bot) => bot.name === seat.name)?.about ?? "";
    } }, ...bots.map((bot) => make("option", { value: bot.name, selected: bot.name === seat.name }, bot.name)));
    return make("li", {}, turn, make("span", { class: "stack" }, which, about), remove);
  }

  await show();
  return make("form", { class: "column wide setup", onsubmit: async (event) => {
    event.preventDefault();
    const first = seats.find((seat) => seat.kind === "person");
    if (first) keep("name", first.name.trim());
    keep(`seats.${preset}`, seats);
    try {
      await done(preset, seats);
    } catch (refused) {
      problem.hidden = false;
      problem.textContent = refused.message;
    }
  } },
  make("h1", {}, t("play.title")),
  make("div", { class: "two" }, presetChooser(preset, choose),
    make("section", { class: "card", "aria-label": t("play.who") }, make("h2", {}, t("play.who")), list, tools, problem, submit)));
}
