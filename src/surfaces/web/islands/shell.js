// The script on every dashboard page: times in this browser's zone, copying, live parts, and the key that focuses the
// search box.
/** This browser's cookies stay under its key, because cookies with the path / are sent to every port of this host. */
const root = location.pathname.split("/dashboard")[0];
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !document.cookie.includes(`pdpp_zone=${encodeURIComponent(zone)}`)) {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not supported everywhere yet.
  document.cookie = `pdpp_zone=${encodeURIComponent(zone)}; Path=${root}/; SameSite=Strict; Max-Age=31536000`;
}

for (const button of document.querySelectorAll("button[data-copy]")) button.hidden = false;

document.addEventListener("click", async ({ target }) => {
  const button = target instanceof Element ? target.closest("button[data-copy]") : null;
  if (button === null) return;
  const source = document.getElementById(button.dataset.copy);
  const label = button.textContent;
  button.textContent = (await copied(source)) ? "Copied" : "Press Ctrl+C";
  setTimeout(() => {
    button.textContent = label;
  }, 2000);
});

/**
 * If the clipboard is not available, for example over plain HTTP on a local network, selects the text and tries the old
 * copy command.
 */
async function copied(source) {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(source);
    return document.execCommand("copy");
  }
}

/** A form that changes something is sent only once, no matter how many times its button is pressed. */
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  if (form.ariaBusy === "true") return event.preventDefault();
  form.ariaBusy = "true";
});
// When the browser restores a page, its forms can be sent again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[aria-busy]")) form.ariaBusy = null;
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select")) return;
  const search = document.querySelector('input[type="search"]');
  event.preventDefault();
  if (search === null) location.assign(`${root}/dashboard/explore`);
  else search.focus();
});

/** Parts marked data-live (milliseconds) are reloaded from the same address while the page is visible. */
async function follow() {
  const live = [...document.querySelectorAll("[data-live]")];
  if (live.length === 0) return;
  const pause = Math.min(...live.map((part) => Number(part.dataset.live)));
  await new Promise((resolve) => setTimeout(resolve, pause));
  if (!document.hidden) {
    try {
      await renew(live);
      away.remove();
    } catch {
      // Old figures must not be mistaken for current ones, so a notice is shown.
      if (!away.isConnected) document.querySelector("main").prepend(away);
    }
  }
  follow();
}

const away = document.createElement("p");
away.className = "alert warn";
away.setAttribute("role", "status");
away.textContent =
  "The server is not responding. This page shows the last known state and is updated when the server is back.";

async function renew(live) {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  // The owner was signed out in the meantime.
  if (answer.status === 401) return location.reload();
  if (answer.status >= 500) throw new Error("no answer");
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of live) {
    const other = fresh.getElementById(part.id);
    if (other === null || other.outerHTML === part.outerHTML) continue;
    // Keeps the focus on the same element.
    const focused = part.contains(document.activeElement) ? document.activeElement : undefined;
    const open = [...part.querySelectorAll("details[open][id]")].map(({ id }) => id);
    part.replaceWith(other);
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    if (focused) sameIn(other, focused)?.focus({ preventScroll: true });
    for (const button of other.querySelectorAll("button[data-copy]")) button.hidden = false;
  }
}

/** Finds the element by its id, otherwise by its content, such as a link in a line that moved down. */
function sameIn(part, { id, tagName, outerHTML }) {
  if (id) return document.getElementById(id);
  return [...part.querySelectorAll(tagName)].find((candidate) => candidate.outerHTML === outerHTML);
}

follow();
