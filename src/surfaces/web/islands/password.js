// Adds a button next to each password field that shows the typed text. The field hides it again before the form is
// sent.
for (const field of document.querySelectorAll('input[type="password"]')) {
  const label = field.closest("label");
  if (label === null) continue;
  const focused = document.activeElement === field;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "show-password";
  // The button is next to the label and not inside it, because its text would become part of the field's name.
  const room = document.createElement("div");
  room.className = "password";
  label.replaceWith(room);
  room.append(label, button);
  if (focused) field.focus();
  const show = (shown) => {
    field.type = shown ? "text" : "password";
    button.textContent = shown ? "Hide" : "Show";
    button.setAttribute("aria-label", `${button.textContent} what you typed`);
  };
  show(false);
  button.addEventListener("click", () => show(field.type === "password"));
  // Hidden again, because browsers remember the values of text fields.
  field.form?.addEventListener("submit", () => show(false));
}
