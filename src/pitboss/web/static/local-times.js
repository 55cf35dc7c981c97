// Times in the words of whoever reads them; the page has them in UTC.

const form = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
for (const node of document.querySelectorAll("time[datetime]")) {
  node.title = node.textContent;
  node.textContent = form.format(new Date(node.dateTime));
}
