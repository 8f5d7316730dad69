// Returns to the app shortly after the owner's decision, unless the owner wants to stay. Without this script there is a
// link.
const link = document.querySelector("a[data-going-back]");
const words = document.querySelector(".going-back");
const stay = document.createElement("button");
stay.type = "button";
stay.className = "link";
stay.textContent = "Stay here";

let seconds = 5;
function count() {
  if (seconds === 0) {
    clearInterval(timer);
    location.assign(link.href);
    return;
  }
  words.firstChild.textContent = `Going back in ${seconds} second${seconds === 1 ? "" : "s"}. `;
  seconds--;
}
words.replaceChildren(document.createTextNode(""), stay);
const timer = setInterval(count, 1000);
stay.addEventListener("click", () => {
  clearInterval(timer);
  words.textContent = "The app waits until you go back.";
});
count();
