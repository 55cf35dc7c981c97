// Before anything is drawn: does this browser hold a seat? Then the front page keeps a line free for the way back.
try {
  if (JSON.parse(localStorage.getItem("pitboss-seats") ?? "[]").some((seat) => seat.names)) document.documentElement.dataset.returning = "yes";
} catch {
  // not allowed to remember
}
