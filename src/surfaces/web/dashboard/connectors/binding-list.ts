// A connector's permissions on this machine, in words.
import { html } from "hono/html";
import type { BindingName, ConnectorBindings } from "../../../../contract/connector.ts";
import { BINDING_WORDS } from "../../../../core/binding-words.ts";
import type { Html } from "../../layout.ts";

export function bindingList(wanted: ConnectorBindings): Html {
  const names = Object.keys(wanted) as BindingName[];
  if (names.length === 0) return html`<p>It only writes records.</p>`;
  return html`<ul class="list">${names.map((name) => {
    const { required, reason } = wanted[name]!;
    return html`<li>${required ? "It will" : "It may"} ${BINDING_WORDS[name]}.${reason === undefined ? "" : html` <span class="note"><bdi>${reason}</bdi></span>`}</li>`;
  })}</ul>`;
}
