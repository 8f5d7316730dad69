// Forms that are completed with a passkey. They are shown if the browser supports passkeys, and sent with the response
// in a hidden field.
const { PublicKeyCredential: passkeys } = globalThis;
if (passkeys?.parseRequestOptionsFromJSON) {
  for (const form of document.querySelectorAll("form[data-passkey]")) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      if (form.elements[form.dataset.field].value !== "") return;
      event.preventDefault();
      ask(form);
    });
  }
}

async function ask(form) {
  const { passkey: options, field, create } = form.dataset;
  const parsed = JSON.parse(options);
  const told = form.querySelector("[role=status]");
  told.textContent = "";
  try {
    const credential =
      create === undefined
        ? await navigator.credentials.get({ publicKey: passkeys.parseRequestOptionsFromJSON(parsed) })
        : await navigator.credentials.create({ publicKey: passkeys.parseCreationOptionsFromJSON(parsed) });
    form.elements[field].value = JSON.stringify(credential.toJSON());
    form.requestSubmit();
  } catch (error) {
    told.textContent =
      error.name === "InvalidStateError"
        ? "This device already has a passkey for this server."
        : "No passkey was used. Try again, or continue without one.";
  }
}
