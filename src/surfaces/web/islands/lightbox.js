// Shows photos one after the other in an overlay, with arrow keys, buttons and swipes; Escape closes it. Without this
// script a photo is a link to its page.
for (const grid of document.querySelectorAll("[data-lightbox]")) {
  const photos = [...grid.querySelectorAll("a[data-picture]")];
  if (photos.length === 0) continue;
  const box = document.createElement("dialog");
  box.className = "lightbox";
  box.setAttribute("aria-label", "Photos");
  const picture = document.createElement("img");
  const caption = document.createElement("p");
  const open = document.createElement("a");
  const [back, next, close] = [
    ["‹", "Previous photo"],
    ["›", "Next photo"],
    ["×", "Close"],
  ].map(([sign, label]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.setAttribute("aria-label", label);
    return button;
  });
  caption.append(open, " ", close);
  box.append(back, picture, next, caption);
  document.body.append(box);
  let at = 0;
  const show = (index) => {
    at = (index + photos.length) % photos.length;
    const photo = photos[at];
    picture.src = photo.dataset.picture;
    picture.alt = photo.querySelector("img")?.alt ?? "";
    open.href = photo.href;
    open.textContent = photo.querySelector(".photo-when")?.textContent.trim() ?? "Open";
  };
  back.addEventListener("click", () => show(at - 1));
  next.addEventListener("click", () => show(at + 1));
  close.addEventListener("click", () => box.close());
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") show(at - 1);
    else if (event.key === "ArrowRight") show(at + 1);
    else return;
    event.preventDefault();
  });
  box.addEventListener("click", (event) => {
    if (event.target === box) box.close();
  });
  box.addEventListener("close", () => photos[at].focus());
  let from = 0;
  box.addEventListener("pointerdown", ({ clientX }) => {
    from = clientX;
  });
  box.addEventListener("pointerup", ({ clientX }) => {
    if (Math.abs(clientX - from) > 60) show(at + (clientX < from ? 1 : -1));
  });
  grid.addEventListener("click", (event) => {
    const photo = event.target.closest("a[data-picture]");
    if (photo === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(photos.indexOf(photo));
    box.showModal();
  });
}
