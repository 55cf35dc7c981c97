// What this device remembers. A page from a file may not be allowed to, and then everything still works, until it is closed.

const PREFIX = "pitboss.";
const here = new Map(); // where the browser keeps nothing

/** What was kept under a name, or `otherwise`. */
export function recall(name, otherwise = null) {
  try {
    const text = localStorage.getItem(PREFIX + name) ?? here.get(name);
    return text === undefined || text === null ? otherwise : JSON.parse(text);
  } catch {
    return here.has(name) ? JSON.parse(here.get(name)) : otherwise;
  }
}

/** Keep something that JSON can write; null forgets it. */
export function keep(name, value) {
  if (value === null) here.delete(name);
  else here.set(name, JSON.stringify(value));
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // not allowed, or full
  }
}
