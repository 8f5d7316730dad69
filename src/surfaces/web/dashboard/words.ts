// Small pieces that several pages share.
import { html } from "hono/html";
import type { Html } from "../layout.ts";
import type { Times } from "../times.ts";

/** Shown once after an action, with the button that reverses it, if there is one. */
export const done = (text: string | Html, undo: Html | "" = ""): Html =>
  html`<div class="alert good" role="status"><p>${text}</p>${undo}</div>`;

export function spanWords({ since, until }: { since?: string; until?: string }, times: Times): string | undefined {
  return since === undefined || until === undefined ? undefined : times.span(since, until);
}

/** Parses a count in an address. Returns undefined for anything else. */
export const wholeNumber = (text: string | null): number | undefined =>
  text !== null && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
