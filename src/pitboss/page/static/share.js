// A link to copy.

import { make } from "./dom.js";
import { t } from "./texts.js";

/** A field with the link, and a button that copies it where the browser lets it. */
export function copyable(address, label) {
  const field = make("input", { type: "text", readonly: true, value: address, "aria-label": label, onfocus: () => field.select() });
  const copy = make("button", { type: "button", onclick: async () => {
    field.select();
    const done = await Promise.resolve(navigator.clipboard?.writeText(address).then(() => true)).catch(() => false);
    copy.textContent = done || document.execCommand("copy") ? t("copied") : t("copy.keys");
  } }, t("copy"));
  return [make("div", { class: "copyable" }, field, copy)];
}
