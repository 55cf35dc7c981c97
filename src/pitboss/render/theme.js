// Light or dark: as the system says, until somebody presses the button; the choice is remembered.

const toggle = document.querySelector("[data-do=theme]");
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

function remembered(value) {
  try {
    if (value) localStorage.setItem("pitboss-theme", value);
    return localStorage.getItem("pitboss-theme");
  } catch {
    return null; // a page from a file may not be allowed to remember
  }
}

export function showTheme(choice) {
  if (choice === "dark" || choice === "light") document.documentElement.dataset.theme = choice;
  const dark = (document.documentElement.dataset.theme ?? (systemIsDark.matches ? "dark" : "light")) === "dark";
  if (!toggle) return; // a page that nobody touches
  toggle.textContent = dark ? (toggle.dataset.light ?? "Light") : (toggle.dataset.dark ?? "Dark"); // a page may have words of its own
  toggle.title = toggle.dataset.title ?? (dark ? "Change to a light page" : "Change to a dark page");
  toggle.dataset.next = dark ? "light" : "dark";
}

toggle?.addEventListener("click", () => {
  const { next } = toggle.dataset;
  remembered(next);
  showTheme(next);
});
systemIsDark.addEventListener("change", () => showTheme());
showTheme(remembered());
