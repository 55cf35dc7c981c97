// The seats that this browser holds. A table's address says nothing about them, so that it can be shown to anybody.

const KEY = "pitboss-seats";
const MOST = 60; // that are remembered

const reading = (storage, key) => {
  try {
    return JSON.parse(storage().getItem(key) ?? "null");
  } catch {
    return null; // not allowed to remember
  }
};

function writing(storage, key, value) {
  try {
    storage().setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Tables by id, the newest first: { id, token, game, names, over }. */
export const seats = () => reading(() => localStorage, KEY) ?? [];

/** The token for a table: of this tab, for two may sit at one table, or of this browser. */
export const seatAt = (id) => reading(() => sessionStorage, `pitboss-seat-${id}`) ?? seats().find((seat) => seat.id === id)?.token ?? null;

/** Remember a seat, or what has become of its game; whether that worked. */
export function keepSeat(id, token, about = {}) {
  const before = seats();
  const own = { ...before.find((seat) => seat.id === id), ...about, id, token };
  writing(() => sessionStorage, `pitboss-seat-${id}`, token);
  return writing(() => localStorage, KEY, [own, ...before.filter((seat) => seat.id !== id)].slice(0, MOST));
}

export function forgetSeat(id) {
  writing(() => sessionStorage, `pitboss-seat-${id}`, null);
  writing(() => localStorage, KEY, seats().filter((seat) => seat.id !== id));
}
