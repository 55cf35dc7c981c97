// A bot in JavaScript: lines of JSON in, lines of JSON out (docs/reference/protocol.md).
//
//     pitboss tournament run flip7:tournament --bots "cmd:node examples/bots/lines.js,stay-25,ev" --blocks 20
//
// It stays with 25 points, saves itself when it can, and freezes whoever has the most.

"use strict";

const LIMIT = 25;

function choose(message) {
  const { view, legal } = message;
  const own = `@${view.seat}`;
  switch (view.decision) {
    case "hit_or_stay":
      return view.seats[view.seat].points < LIMIT ? "hit" : "stay";
    case "save":
      return "yes";
    default: {
      if (view.card === "sc" && legal.includes(own)) return own;
      const others = view.seats.filter((seat) => legal.includes(`@${seat.seat}`) && seat.seat !== view.seat);
      others.sort((a, b) => b.total + b.points - (a.total + a.points));
      return `@${others[0].seat}`;
    }
  }
}

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    if (message.type === "hello") console.log(JSON.stringify({ id: message.id }));
    if (message.type === "decide") console.log(JSON.stringify({ id: message.id, move: choose(message) }));
  });
