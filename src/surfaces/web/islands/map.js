// The interactive map. People drag, scroll or press + and −, and the page loads the new part. Without this script,
// links move the map.
{
  const WORLD = 256;
  const place = document.getElementById("map-part")?.parentElement;
  const map = () => document.querySelector("svg[data-map]");
  const ground = () => document.querySelector("[data-map-ground]");
  let asked = 0;

  /** Replaces the visible part with the part at another address of this page. */
  async function go(href, remember = true) {
    const turn = ++asked;
    document.getElementById("map-part").ariaBusy = "true";
    const answer = await fetch(href, { headers: { Accept: "text/html" } }).catch(() => undefined);
    if (turn !== asked) return;
    if (!answer?.ok) return location.assign(href);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const part = fresh.getElementById("map-part");
    if (turn !== asked) return;
    if (part === null) return location.assign(href);
    const focused = document.activeElement?.getAttribute("aria-label");
    document.getElementById("map-part").replaceWith(part);
    for (const form of document.querySelectorAll(".map-days")) keepWindow(form, new URL(href, location.href));
    if (focused) part.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    if (remember) history.pushState(null, "", href);
  }

  function keepWindow(form, { searchParams }) {
    for (const name of ["lat", "lon", "z"])
      if (searchParams.has(name)) form.elements.namedItem(name).value = searchParams.get(name);
  }

  /** Screen pixels per pixel of the drawing. */
  const scale = (svg) =>
    Math.max(svg.clientWidth / svg.viewBox.baseVal.width, svg.clientHeight / svg.viewBox.baseVal.height);

  /** Returns the position after the map was moved by this many pixels and zoomed around a point. */
  function moved(svg, { right, down, closer = 0, at = { x: 0, y: 0 } }) {
    const zoom = Number(svg.dataset.zoom);
    const next = Math.min(17, Math.max(2, Math.round(zoom + closer)));
    const [from, to] = [WORLD * 2 ** zoom, WORLD * 2 ** next];
    const x = Number(svg.dataset.x) - right / from + at.x / from - at.x / to;
    const y = Number(svg.dataset.y) - down / from + at.y / from - at.y / to;
    const latitude = (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI;
    const url = new URL(location.href);
    url.searchParams.set("lat", Math.min(85, Math.max(-85, latitude)).toFixed(5));
    url.searchParams.set("lon", Math.min(180, Math.max(-180, (x - 0.5) * 360)).toFixed(5));
    url.searchParams.set("z", String(next));
    return url.href;
  }

  let drag;
  place?.addEventListener("pointerdown", (event) => {
    const svg = map();
    if (event.button !== 0 || !svg?.contains(event.target)) return;
    drag = { x: event.clientX, y: event.clientY, isInProgress: false };
  });
  addEventListener("pointermove", (event) => {
    if (drag === undefined) return;
    const [right, down] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.isInProgress && Math.hypot(right, down) < 5) return;
    drag.isInProgress = true;
    const by = scale(map());
    ground().setAttribute("transform", `translate(${right / by} ${down / by})`);
  });
  addEventListener("pointerup", (event) => {
    const done = drag;
    drag = undefined;
    if (!done?.isInProgress) return;
    // The click that ends a drag must not open anything.
    const swallow = (click) => {
      click.preventDefault();
      click.stopPropagation();
    };
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    const svg = map();
    const by = scale(svg);
    go(moved(svg, { right: (event.clientX - done.x) / by, down: (event.clientY - done.y) / by }));
  });
  // Otherwise a link or a picture would be dragged instead of the map.
  place?.addEventListener("dragstart", (event) => {
    if (map()?.contains(event.target)) event.preventDefault();
  });

  let wheel;
  place?.addEventListener(
    "wheel",
    (event) => {
      const svg = map();
      if (!svg?.contains(event.target)) return;
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      const by = scale(svg);
      const at = {
        x: (event.clientX - box.left - box.width / 2) / by,
        y: (event.clientY - box.top - box.height / 2) / by,
      };
      wheel = { closer: (wheel?.closer ?? 0) - event.deltaY / 200, at: wheel?.at ?? at, timer: wheel?.timer };
      const { baseVal } = svg.viewBox;
      const [left, top, factor] = [wheel.at.x + baseVal.width / 2, wheel.at.y + baseVal.height / 2, 2 ** wheel.closer];
      ground().setAttribute("transform", `translate(${left} ${top}) scale(${factor}) translate(${-left} ${-top})`);
      clearTimeout(wheel.timer);
      wheel.timer = setTimeout(() => {
        const { closer, at: around } = wheel;
        wheel = undefined;
        go(moved(map(), { right: 0, down: 0, closer: Math.sign(closer) * Math.max(1, Math.abs(closer)), at: around }));
      }, 180);
    },
    { passive: false },
  );

  place?.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-map-go]");
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link.href?.baseVal ?? link.href);
  });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !event.target.closest?.(".map-room")) return;
    const link = [...document.querySelectorAll("a[data-map-keys]")].find(({ dataset }) =>
      dataset.mapKeys.split(" ").includes(event.key),
    );
    if (!link) return;
    event.preventDefault();
    go(link.href);
  });
  addEventListener("popstate", () => go(location.href, false));
}
