// The frame around all pages: where the address leads, the language, light or dark, and what is kept for being offline.

import "./motion.js";
import { VERSION } from "./catalogue.js";
import { advicePage } from "./advice.js";
import { make, parts } from "./dom.js";
import { homePage } from "./home.js";
import { labPage } from "./lab.js";
import { playPage } from "./play.js";
import { replayPage } from "./replay.js";
import { showTheme } from "./theme.js";
import { LANGUAGES, language, setLanguage, t } from "./texts.js";
import { trainPage } from "./train.js";

const PAGES = { "": homePage, play: playPage, advice: advicePage, train: trainPage, lab: labPage, replay: replayPage };
const part = parts(document);
let leave = () => null; // of the page that is shown: it stops what it has begun

/** The address behind the #: the page, what is opened there, and all that is set. */
function readAddress() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/").map(decodeURIComponent);
  return { name: name in PAGES ? name : "", rest, query: new URLSearchParams(query) };
}

async function show() {
  if (location.hash === "#content") return;
  const { name, rest, query } = readAddress();
  leave();
  leave = () => null;
  drawFrame(name);
  const root = make("div", { class: `page ${name || "home"}`, "data-state": "loading" });
  part.main.replaceChildren(root);
  scrollTo(0, 0);
  try {
    leave = (await PAGES[name](root, rest, query)) ?? (() => null);
    if (root.dataset.state === "loading") root.dataset.state = "ready";
  } catch (problem) {
    root.dataset.state = "failed";
    root.replaceChildren(make("div", { class: "column" }, make("p", { class: "callout", role: "alert" }, problem.message), make("a", { href: "#/" }, t("home"))));
  }
}

function drawFrame(name) {
  document.documentElement.lang = language();
  document.title = name ? `${t(`nav.${name}`)} · pitboss` : "pitboss";
  part.rooms.setAttribute("aria-label", t("nav"));
  part.rooms.replaceChildren(...Object.keys(PAGES).filter(Boolean).map((each) =>
    make("a", { href: `#/${each}`, "aria-current": each === name ? "page" : null }, t(`nav.${each}`))));
  document.querySelector(".skip").textContent = t("skip");
  part.language.setAttribute("aria-label", t("language"));
  part.language.title = t("language");
  part.language.replaceChildren(...Object.entries(LANGUAGES).map(([code, title]) => make("option", { value: code, lang: code, selected: code === language() }, title)));
  const toggle = document.querySelector("[data-do=theme]");
  Object.assign(toggle.dataset, { light: t("light"), dark: t("dark"), title: t("theme") });
  showTheme();
}

part.language.addEventListener("change", () => {
  setLanguage(part.language.value);
  show();
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  part.main.focus();
});
addEventListener("hashchange", show);
document.documentElement.dataset.version = VERSION;
if (location.protocol.startsWith("http")) {
  document.head.append(make("link", { rel: "manifest", href: "manifest.webmanifest" }));
  navigator.serviceWorker?.register("sw.js").catch(() => null); // without it the page works, but not offline
}
show();
