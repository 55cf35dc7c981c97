// All tournaments. The host comes with a token behind the # of the address, which this tab remembers.

import { hostToken } from "./token.js";

const given = new URLSearchParams(location.hash.slice(1)).get("host");
if (given) {
  hostToken(given);
  history.replaceState(null, "", location.pathname);
}
