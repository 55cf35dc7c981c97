// Submit a bot: a file or a text; then to the page of its check.

import { complaints, get, make, parts, post } from "./api.js";
import { token } from "./token.js";

const form = document.getElementById("submit");
const part = parts(document);
const complain = complaints(part.problem);
const { elements } = form;

async function list() {
  if (!token()) return;
  const sent = await get("/api/bots", { token: token() });
  part.before.hidden = !sent.length;
  part.list.replaceChildren(...sent.map((each) => make("li", {}, make("a", { href: `/submit/${each.id}` }, `${each.name}.py`), make("span", { class: "soft" }, `${each.title}, ${each.state}`))));
}

elements.token.value ||= token(); // what was typed before this module came counts
elements.token.addEventListener("change", () => {
  token(elements.token.value.trim());
  list().then(() => complain(""), (problem) => complain(problem.message));
});

async function read() {
  const [file] = elements.file.files;
  if (!file) return;
  elements.name.value = file.name.replace(/\.py$/, "").replace(/[^A-Za-z0-9_-]/g, "-").replace(/^[^A-Za-z]+/, "") || "MyBot";
  elements.source.value = file.size > 262144 ? "" : await file.text();
  complain(file.size > 262144 ? "that file is much too large for a bot" : "");
}

elements.file.addEventListener("change", read);
read();

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const send = form.querySelector("[type=submit]");
  send.disabled = true;
  token(elements.token.value.trim());
  try {
    const body = { name: elements.name.value.trim(), spec: elements.spec.value, source: elements.source.value };
    const sent = await post("/api/bots", body, { token: token() });
    location.assign(`/submit/${sent.id}`);
  } catch (problem) {
    complain(problem.message);
    send.disabled = false;
  }
});

try {
  const games = await get("/api/games");
  elements.spec.replaceChildren(...games.flatMap((game) => game.presets.map((preset) => make("option", { value: preset.spec, title: preset.spec }, preset.full_title))));
  const usual = [...elements.spec.options].find((option) => option.value.endsWith(":tournament"));
  if (usual) usual.selected = true;
  form.querySelector("[type=submit]").disabled = false;
  await list();
} catch (problem) {
  complain(problem.message);
}
