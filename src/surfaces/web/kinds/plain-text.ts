// Text as it was written, in readable line lengths.
import { html } from "hono/html";
import type { Html } from "../layout.ts";

export const plainText = (text: string | undefined): Html | "" =>
  text === undefined ? "" : html`<div class="text kind-text"><bdi>${text}</bdi></div>`;
