// Sounds of our own, made when they are heard: no file is loaded. Off until somebody turns them on; remembered.

const KEY = "pitboss-sound";
let context = null;

/** Whether sounds are on; with a choice, from now on. */
export function sound(choice) {
  const root = document.documentElement;
  try {
    if (choice !== undefined) localStorage.setItem(KEY, choice ? "on" : "off");
    root.dataset.sound ??= localStorage.getItem(KEY) === "on" ? "on" : "off";
  } catch {
    root.dataset.sound ??= "off"; // not allowed to remember
  }
  if (choice !== undefined) root.dataset.sound = choice ? "on" : "off";
  return root.dataset.sound === "on";
}

/** A button that turns sounds on and off, and lets hear that they are on. */
export function soundButton(button) {
  const show = () => button.setAttribute("aria-pressed", `${sound()}`);
  button.addEventListener("click", () => {
    sound(!sound());
    show();
    play("turn");
  });
  show();
}

// Each sound is a few notes [what, pitch in Hz, when it begins, how long, how loud, the pitch it glides to].
const SCORES = {
  deal: [["noise", 2600, 0, 0.07, 0.16, 900]],
  turn: [["sine", 660, 0, 0.12, 0.1], ["sine", 880, 0.11, 0.2, 0.1]],
  bust: [["sawtooth", 220, 0, 0.4, 0.09, 55], ["noise", 900, 0.02, 0.3, 0.14, 120]],
  frozen: [["sine", 1760, 0, 0.5, 0.06, 2350], ["triangle", 1175, 0.08, 0.6, 0.06, 1568], ["noise", 6000, 0, 0.35, 0.04, 8000]],
  triumph: [523, 659, 784, 1047, 1319].map((pitch, i) => ["triangle", pitch, i * 0.09, 0.32, 0.11]),
  won: [[392, 0], [523, 0.14], [659, 0.28], [784, 0.42], [1047, 0.42], [659, 0.42]].map(([pitch, at]) => ["triangle", pitch, at, at < 0.4 ? 0.2 : 0.9, 0.1]),
};

/** Play a sound by its name, if sounds are on. */
export function play(name) {
  if (!sound() || !SCORES[name]) return;
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") context.resume();
  } catch {
    return; // no sound here
  }
  for (const note of SCORES[name]) sing(...note);
}

function sing(what, pitch, after, long, loud, to = pitch) {
  const begin = context.currentTime + after;
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, begin);
  gain.gain.exponentialRampToValueAtTime(loud, begin + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + long);
  gain.connect(context.destination);
  const [source, tuned] = what === "noise" ? hiss(gain) : tone(what, gain);
  tuned.setValueAtTime(pitch, begin);
  tuned.exponentialRampToValueAtTime(to, begin + long);
  source.start(begin);
  source.stop(begin + long + 0.05);
}

function tone(shape, out) {
  const source = context.createOscillator();
  source.type = shape;
  source.connect(out);
  return [source, source.frequency];
}

/** Noise through a filter: a card on cloth, something that breaks. */
function hiss(out) {
  const source = context.createBufferSource();
  source.buffer = context.createBuffer(1, context.sampleRate * 0.6, context.sampleRate);
  const samples = source.buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  source.connect(filter).connect(out);
  return [source, filter.frequency];
}
