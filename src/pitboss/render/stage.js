// Where advice stands on a page with a table: beside it, or, on a small screen, over its far side, never over one's own hand.

const BESIDE = matchMedia("(min-width: 960px) and (min-height: 560px)"); // as in table.css

/** Keep a node at the beginning of the aside, or on the stage. */
export function keepBeside(node, aside, stage) {
  const place = () => (BESIDE.matches ? aside.prepend(node) : stage.append(node));
  BESIDE.addEventListener("change", place);
  place();
}

/** A log whose newest line was in sight keeps it in sight when there is less room. */
export function keepNewest(log) {
  let atEnd = true, height = log.clientHeight;
  log.addEventListener("scroll", () => { // it may be told of when the room is another already
    if (log.clientHeight === height) atEnd = log.scrollTop + height > log.scrollHeight - 40;
  });
  new ResizeObserver(() => {
    height = log.clientHeight;
    if (atEnd) log.scrollTop = log.scrollHeight;
  }).observe(log);
}
