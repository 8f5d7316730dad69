// A few facts about a record as names and values; those without a value are omitted.
import { html } from "hono/html";
import type { Html } from "../layout.ts";

export type Fact = readonly [label: string, value: Html | string | undefined];

export function facts(list: readonly Fact[]): Html | "" {
  const known = list.filter(([, value]) => value !== undefined && value !== "");
  if (known.length === 0) return "";
  return html`<dl class="facts kind-facts">${known.map(
    ([label, value]) =>
      html`<div><dt>${label}</dt><dd>${typeof value === "string" ? html`<bdi>${value}</bdi>` : value}</dd></div>`,
  )}</dl>`;
}
