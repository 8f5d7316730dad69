// Text to copy, with a button. Without the script there is no button, but the text can still be copied.
import { html } from "hono/html";
import type { Html } from "./layout.ts";

export function copyable(text: string, id: string, kind: "code" | "address" = "code"): Html {
  return html`<div class="copyable ${kind}"><pre id="${id}" tabindex="0"><code>${text}</code></pre><button type="button" class="button copy" data-copy="${id}" hidden>Copy</button></div>`;
}
