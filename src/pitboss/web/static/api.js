// The JSON interface. What the server refuses becomes an Error with its sentence.

import { make, sentence } from "/shared/dom.js";

export { make, parts, percent, sentence, tidy } from "/shared/dom.js";

const SLOW = 1500; // milliseconds after which a page says why it waits

async function sayWhy(note) {
  const { compiling } = await (await fetch("/api/opening")).json();
  if (!compiling || note.done) return;
  note.node = make("p", { class: "note waiting", role: "status" }, `The server compiles the rules of ${compiling}, once for this machine. It goes on by itself.`);
  document.body.append(note.node);
}

/** What a server answers; if it still compiles a game, the page says so meanwhile. */
async function patiently(...request) {
  const note = {};
  const timer = setTimeout(() => sayWhy(note).catch(() => null), SLOW);
  try {
    return await fetch(...request);
  } catch {
    throw new Error("the server cannot be reached; check your connection and try again");
  } finally {
    note.done = true;
    clearTimeout(timer);
    note.node?.remove();
  }
}

export async function call(method, path, { token, body, query } = {}) {
  const address = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query ?? {})) if (value !== null && value !== undefined) address.searchParams.set(name, value);
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await patiently(address, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const data = await answer.json().catch(() => ({ error: `the server answered ${answer.status}` }));
  if (!answer.ok) throw Object.assign(new Error(data.error ?? `the server answered ${answer.status}`), { status: answer.status });
  return data;
}

export const get = (path, options) => call("GET", path, options);
export const post = (path, body, options = {}) => call("POST", path, { ...options, body });

/** What is said about a bot, as a text; its name stays as it is written. */
export const paragraph = (words, name) => words.map((text) => (text.startsWith(name) ? `${text}.` : sentence(text))).join(" ");

/** The name that a person used last here; empty if they never gave one. */
export function myName(name) {
  try {
    if (name) localStorage.setItem("pitboss-name", name);
    return localStorage.getItem("pitboss-name") ?? "";
  } catch {
    return ""; // not allowed to remember
  }
}

/** A link in a field, and a button that copies it, where the browser lets it. */
export function copyable(address, label) {
  const field = make("input", { type: "text", readonly: true, value: address, "aria-label": label, onfocus: () => field.select() });
  const copy = make("button", { type: "button", onclick: async () => {
    field.select();
    const done = await Promise.resolve(navigator.clipboard?.writeText(address).then(() => true)).catch(() => false);
    copy.textContent = done || document.execCommand("copy") ? "Copied" : "Press Ctrl+C";
  } }, "Copy");
  return [field, copy];
}

/** What shows or hides a problem in an element. */
export const complaints = (element) => (text) => {
  element.hidden = !text;
  element.textContent = text ? sentence(text) : "";
};

/** A whole number, with commas. */
export const whole = (n) => n.toLocaleString("en");

/** An interval, its ends written by `form`. */
export const span = (interval, form) => (interval ? `${form(interval[0])} to ${form(interval[1])}` : "");

/** Fill a table: its columns as [title, class], and its rows. */
export const fillTable = (element, columns, rows) => element.replaceChildren(
  make("thead", {}, make("tr", {}, ...columns.map(([title, kind]) => make(title ? "th" : "td", { ...(title ? { scope: "col" } : {}), class: kind ?? "" }, title)))),
  make("tbody", {}, ...rows));
