// The words of the page itself, in the language that somebody chose, or that the browser asks for.

import { TEXTS } from "./catalogue.js";
import { keep, recall } from "./store.js";

export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español" };

const wanted = [recall("language"), ...(navigator.languages ?? [navigator.language])].map((each) => `${each}`.slice(0, 2));
let chosen = wanted.find((each) => each in TEXTS) ?? "en";

export const language = () => chosen;

export function setLanguage(code) {
  chosen = code;
  keep("language", code);
}

/** A text by its key, with values for what stands in {braces}; with `n`, the singular where the language has one. */
export function t(key, values = {}) {
  const texts = TEXTS[chosen];
  const form = "n" in values && new Intl.PluralRules(chosen).select(values.n) === "one" ? `${key}.one` : key;
  const text = texts[form] ?? texts[key] ?? TEXTS.en[form] ?? TEXTS.en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? shown(values[name]) : all));
}

const shown = (value) => (typeof value === "number" ? number(value) : `${value}`);

/** A number as this language writes it. */
export const number = (value, digits = 0) =>
  value.toLocaleString(chosen, { minimumFractionDigits: digits, maximumFractionDigits: Number.isInteger(value) ? digits : Math.max(digits, 0) });

/** A share as per cent. */
export const share = (p, digits = p > 0 && p < 0.0995 ? 1 : 0) =>
  p.toLocaleString(chosen, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits });
