// The switches of a rule book as a form.

import { make, sentence } from "./api.js";

/** Draw them; `changed(spec)` is called with the rules that somebody has made of these. */
export function drawSwitches(element, rules, changed) {
  const focused = document.activeElement?.dataset?.switch;
  element.replaceChildren(...rules.switches.map((each) => {
    const control = controlOf(each, (value) => changed(withSwitch(rules.spec, each.name, value)));
    return make("label", { class: each.needs ? "off" : "", title: each.needs ? `needs ${each.needs}` : each.name },
      make("span", {}, sentence(each.about).slice(0, -1)), control);
  }));
  if (focused) element.querySelector(`[data-switch=${focused}]`)?.focus();
}

function controlOf(each, set) {
  const common = { "data-switch": each.name, disabled: Boolean(each.needs) };
  let control;
  if (each.kind === "yes") {
    control = make("input", { type: "checkbox", ...common, onchange: () => set(control.checked) });
    control.checked = each.value === "true";
    return control;
  }
  if (each.kind === "choice") {
    control = make("select", { ...common, onchange: () => set(control.value) },
      ...each.choices.map((choice) => make("option", { value: choice }, choice.replaceAll("_", " "))));
  } else {
    const number = each.kind === "number";
    control = make("input", { type: number ? "number" : "text", min: number ? each.least : null, max: number ? each.most : null,
      maxlength: 400, ...common, onchange: () => set(control.value) });
  }
  control.value = each.value;
  return control;
}

/** The rules with one switch set: the preset they were, and all that differs. */
function withSwitch(spec, name, value) {
  const inside = /\((.*)\)$/.exec(spec)?.[1] ?? "";
  const kept = splitArguments(inside).filter((each) => each.split("=")[0].trim() !== name);
  return `${spec.split("(")[0]}(${[...kept, `${name}=${value}`].join(", ")})`;
}

function splitArguments(text) {
  const out = [];
  let depth = 0, start = 0;
  [...text].forEach((sign, i) => {
    depth += "([".includes(sign) - ")]".includes(sign);
    if (sign === "," && depth === 0) {
      out.push(text.slice(start, i));
      start = i + 1;
    }
  });
  out.push(text.slice(start));
  return out.map((each) => each.trim()).filter(Boolean);
}
