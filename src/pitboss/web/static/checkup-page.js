// The check of a bot that was sent in: what was found, as soon as it is known.

import { get, make, parts, sentence } from "./api.js";
import { token } from "./token.js";

const main = document.querySelector("[data-sent]");
const id = main.dataset.sent;
const part = parts(main);
const field = main.querySelector("[name=token]");
const STATES = { waiting: "It waits for its turn.", checking: "It is playing some games under the referee …", fine: "It is ready for a tournament.", refused: "It is not ready yet." };

async function look() {
  let sent;
  try {
    sent = await get(`/api/bots/${id}`, { token: token() });
  } catch (problem) {
    part.state.textContent = "";
    part.problem.hidden = false;
    part.problem.textContent = sentence(problem.message);
    part.ask.hidden = problem.status !== 403;
    return;
  }
  part.problem.hidden = part.ask.hidden = true;
  main.dataset.state = sent.state;
  part.name.textContent = `${sent.name}.py`;
  part.facts.textContent = [sent.title, sent.bot, sent.version && `version ${sent.version}`].filter(Boolean).join(" · ");
  part.state.textContent = STATES[sent.state];
  part.findings.hidden = !sent.findings.length;
  part.findings.replaceChildren(...sent.findings.map((each) => make("li", { class: each.fine ? "fine" : "wrong" },
    make("span", { "aria-hidden": "true" }, each.fine ? "✓" : "✗"), make("strong", {}, each.about), make("span", {}, `${each.fine ? "" : "Not in order: "}${each.text}`))));
  part.enter.hidden = sent.state !== "fine" || main.dataset.runs !== "yes";
  part.enter.href = `/new-tournament?sent=${id}&game=${encodeURIComponent(sent.game)}`;
  if (sent.state === "waiting" || sent.state === "checking") setTimeout(look, 700);
}

const again = () => (token(field.value.trim()), look());
field.addEventListener("change", again);
part.ask.addEventListener("submit", (event) => (event.preventDefault(), again()));
if (token()) look();
else (part.ask.hidden = false, part.state.textContent = "");
