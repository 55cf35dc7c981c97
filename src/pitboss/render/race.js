// The race to the target: a track above the table, with a marker for each seat. What lies on the table is still ahead of it.

import { disc } from "./seat.js";
import { between, draw, measure, words } from "./svg.js";

export function drawRace(scene, plan, avatars) {
  const { width, race, narrow } = plan;
  const { target } = scene;
  const label = `${target}`;
  const size = narrow ? 11.5 : 13;
  const r = between(7, 200 / scene.seats.length, narrow ? 9.5 : 12);
  const [left, right] = [18, width - r - 12 - measure(label, size, 700)];
  const at = (points) => left + between(0, points / target, 1) * (right - left);
  const y = race - 13;
  const totals = scene.seats.map((seat) => seat.total ?? 0);
  const group = draw("g", { class: "race", role: "img", "aria-label": scene.seats.map((seat, i) => `${seat.name} ${totals[i]}`).join(", ") + ` / ${target}` });
  group.append(draw("rect", { class: "track", x: left, y: y - 3, width: right - left, height: 6, rx: 3 }));
  for (const quarter of [0.25, 0.5, 0.75]) group.append(draw("path", { class: "notch", d: `M${at(target * quarter)} ${y - 6}v12` }));
  group.append(draw("path", { class: "finish", d: `M${right} ${y - 13}v26` }), words(right + r + 5, y + size * 0.36, label, size, "target"));
  const order = totals.map((_, i) => i).sort((a, b) => totals[a] - totals[b] || b - a);
  const taken = [];
  for (const i of order) {
    const x = at(totals[i]);
    const clash = taken.filter((other) => Math.abs(other.x - x) < r * 1.5).map(({ lane }) => lane);
    const lane = [0, 1, 2, 3].find((free) => !clash.includes(free)) ?? 3;
    taken.push({ x, lane });
    const seat = scene.seats[i];
    const node = draw("g", { class: `runner${i === plan.near ? " own" : ""}${seat.to_act ? " to-act" : ""}`, "data-runner": i, transform: `translate(${x} ${y - lane * r * 0.42})` }, disc(avatars[i], r), draw("title", {}, `${seat.name}: ${totals[i]}`));
    if (seat.points > 0 && !seat.out && (plan.own ? i === plan.near : seat.to_act)) group.append(draw("rect", { class: "ahead", x, y: y - 3, width: Math.max(0, at(totals[i] + seat.points) - x), height: 6, rx: 3 }));
    group.append(node);
  }
  return group;
}
