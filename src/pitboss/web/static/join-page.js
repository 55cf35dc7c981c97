// A table's code is typed, or stands behind the # of the address; then a seat is taken, or the table is watched.

import { complaints, myName, parts, post } from "./api.js";
import { spelled } from "./people.js";
import { keepSeat } from "./seats.js";

const form = document.getElementById("join");
const { code, name } = form.elements;
const complain = complaints(parts(form).problem);

function take(address) {
  if (address) code.value = spelled(address.replace(/[^a-z]/gi, ""));
}

take(decodeURIComponent(location.hash.slice(1)));
name.value = myName();
(code.value ? name : code).focus();
addEventListener("hashchange", () => take(decodeURIComponent(location.hash.slice(1))));

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!code.value.trim()) return complain("type the code of the table: six letters");
  try {
    const typed = name.value.trim();
    const { table, token } = await post(`/api/codes/${encodeURIComponent(code.value.trim())}/join`, typed ? { name: typed } : {});
    if (typed) myName(typed);
    if (token && !keepSeat(table, token)) return location.assign(`/table/${table}#${token}`);
    location.assign(`/table/${table}`);
  } catch (problem) {
    complain(problem.message);
  }
});
