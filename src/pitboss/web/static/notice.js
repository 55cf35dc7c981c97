// A notice of the system that it is one's turn, for who asked for it and looks at something else.

const able = () => "Notification" in window && isSecureContext;

/** A button that asks whether such notices may be shown; gone once that is decided. */
export function noticeButton(button) {
  const show = () => (button.hidden = !able() || Notification.permission !== "default");
  button.addEventListener("click", () => Notification.requestPermission().then(show));
  show();
}

/** Tell somebody who looks elsewhere. */
export function notice(text, about) {
  if (!document.hidden || !able() || Notification.permission !== "granted") return;
  try {
    const shown = new Notification(text, { tag: about });
    shown.onclick = () => {
      focus();
      shown.close();
    };
  } catch {
    // only a service worker may show notices here
  }
}
