// How lively pages are: "off", "fast", "calm" or "slow". As the system says, until somebody chooses; remembered.

const KEY = "pitboss-motion";
const PAUSE = { off: 0, fast: 160, calm: 420, slow: 900 }; // milliseconds that a card lies before the next

export function motion(choice) {
  const root = document.documentElement;
  try {
    if (choice) localStorage.setItem(KEY, choice);
    choice ??= localStorage.getItem(KEY);
  } catch {
    // not allowed to remember
  }
  const usual = matchMedia("(prefers-reduced-motion: reduce)").matches ? "off" : "calm";
  root.dataset.motion = choice in PAUSE ? choice : (root.dataset.motion ?? usual);
  return root.dataset.motion;
}

/** How long one step of a game is shown before the next, in milliseconds. */
export const pause = () => PAUSE[motion()];

motion();
