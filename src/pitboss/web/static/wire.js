// The connection to a table: it says what is new, comes back when it is lost, and notices when it died without a word.

const QUIET = 20000; // milliseconds without a word from the server, after which it is asked whether it is still there
const ANSWER = 6000; // in which it must say so
const REFUSED = 4400, LAST_REFUSAL = 4500; // codes between which the server does not want us back

export class Wire {
  /** `hello()` is what to say first, and again to ask whether the server is there; `hear(look)` gets what it says, all
   * pages of it; `lost(yes)` whether the connection is; `refuse(code, reason)` that there is no coming back. */
  constructor(id, { hello, hear, lost, refuse }) {
    this.address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/tables/${id}/live`;
    Object.assign(this, { hello, hear, lost, refuse, tries: 0, heard: 0, asked: 0, over: false });
    setInterval(() => this.check(false), 2000);
    for (const sign of ["online", "focus", "pageshow"]) addEventListener(sign, () => this.check(true));
    document.addEventListener("visibilitychange", () => {
      this.send({ away: document.hidden });
      if (!document.hidden) this.check(true);
    });
    this.connect();
  }

  connect() {
    const pages = []; // steps of a long game come page by page
    const socket = (this.socket = new WebSocket(this.address));
    socket.addEventListener("open", () => socket.send(JSON.stringify({ ...this.hello(), away: document.hidden })));
    socket.addEventListener("message", (event) => {
      if (socket !== this.socket) return;
      [this.tries, this.heard, this.asked] = [0, Date.now(), 0];
      this.lost(false);
      const look = JSON.parse(event.data);
      pages.push(...look.steps);
      if (!look.more) this.hear({ ...look, steps: pages.splice(0) });
    });
    socket.addEventListener("close", (event) => {
      if (socket !== this.socket) return;
      if (event.code >= REFUSED && event.code < LAST_REFUSAL) {
        this.over = true;
        this.refuse(event.code, event.reason);
      } else this.#tryAgain();
    });
  }

  /** Say something, if the connection is there. */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  #tryAgain() {
    this.tries += 1;
    if (this.tries > 1) this.lost(true);
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.connect(), Math.min(8000, 250 * 2 ** this.tries));
  }

  /** A connection may die without a word: ask now and then, and whenever there is reason to `doubt` it. */
  check(doubt) {
    if (this.over || !this.heard) return;
    const now = Date.now();
    if (this.asked && now - this.asked > ANSWER) {
      this.asked = 0;
      const dead = this.socket;
      this.socket = null;
      dead.close();
      this.#tryAgain();
    } else if (this.socket?.readyState === WebSocket.OPEN && !this.asked && (doubt || now - this.heard > QUIET)) {
      this.asked = now;
      const { seat, since } = this.hello();
      this.send({ seat, since });
    } else if (doubt && this.socket?.readyState !== WebSocket.OPEN) {
      clearTimeout(this.retry);
      this.connect();
    }
  }
}
