// Tokens that a browser remembers, and sends only to this server.

function remembered(storage, key, value) {
  try {
    if (value !== undefined) storage().setItem(key, value);
    return storage().getItem(key) ?? "";
  } catch {
    return value ?? ""; // not allowed to remember
  }
}

/** The token for sending in bots, for as long as this tab is open. */
export const token = (value) => remembered(() => sessionStorage, "pitboss-upload-token", value);

/** The token of who began a tournament here, and so may stop it. */
export const runToken = (id, value) => remembered(() => localStorage, `pitboss-run-${id}`, value);

/** The token of the host, who may stop all of them; it comes with the address that the terminal prints. */
export const hostToken = (value) => remembered(() => sessionStorage, "pitboss-host-token", value);
