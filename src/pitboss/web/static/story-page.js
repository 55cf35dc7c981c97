// The story of a game, on a page of its own, to be read and shared.

import { download, drawStory, storyPicture } from "/shared/story.js";
import { copyable, make, myName, parts, sentence } from "./api.js";
import { storyOf } from "./ending.js";
import { results } from "./results.js";

const main = document.querySelector("[data-story]");
const { story: id, game, origin = location.origin } = main.dataset;
const part = parts(main);

/** The seats of who reads: from what this device remembers, or by name. */
function ownSeat(names) {
  const known = results().find((each) => each.id === id);
  return known ? known.seat : names.indexOf(myName()) >= 0 ? names.indexOf(myName()) : null;
}

function show(story) {
  const seat = part.seat.value;
  const mine = seat === "" ? [] : [Number(seat)];
  part.story.replaceChildren(...drawStory(story, { mine, width: Math.min(900, part.story.clientWidth || 640), link: (step) => `/replay/${id}?move=${step}` }));
}

/** Who won, and by what. */
function titleOf({ names, winners, scores }) {
  const who = winners.map((seat) => names[seat]);
  const points = winners.length ? ` with ${scores[winners[0]]}` : "";
  return who.length === 1 ? `${who[0]} won${points}` : who.length ? `A tie: ${who.join(", ")}${points}` : "Nobody won";
}

try {
  const story = await storyOf(id, (done, all) => { part.bar.value = done / all; });
  const own = ownSeat(story.names);
  part.seat.append(make("option", { value: "" }, "everybody"), ...story.names.map((name, i) => make("option", { value: i }, name)));
  if (own !== null) part.seat.value = own;
  part.title.textContent = titleOf(story);
  part.progress.hidden = true;
  part.whose.hidden = story.names.length < 2;
  part.told.hidden = part.share.hidden = false;
  show(story);
  part.seat.addEventListener("change", () => show(story));
  addEventListener("resize", () => show(story));
  part.link.append(...copyable(`${origin}/story/${id}`, "Link to the story"));
  main.querySelector("[data-do=picture]").addEventListener("click", async () => {
    download(await storyPicture(story, { title: titleOf(story), subtitle: `A game of ${game}` }), `pitboss-${id.replace("/", "-")}.png`);
  });
} catch (problem) {
  part.state.textContent = sentence(problem.message);
  part.bar.hidden = true;
}
main.dataset.ready = "yes";
