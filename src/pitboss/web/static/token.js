// The token for sending in bots: remembered for as long as this tab is open, and sent only to this server.

const KEY = "pitboss-upload-token";

export function token(value) {
  try {
    if (value !== undefined) sessionStorage.setItem(KEY, value);
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return value ?? ""; // not allowed to remember
  }
}
