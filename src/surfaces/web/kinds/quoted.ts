// The text of an email, with quoted parts collapsed.
import { html } from "hono/html";
import type { Html } from "../layout.ts";

interface Piece {
  isQuote: boolean;
  text: string;
}

const ORIGINAL = /^-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht)\s*-{2,}/i;
const INTRODUCES = /^(?:On|Am|Le|El|Em)\b.{5,200}:$/;

/** Groups quoted lines with the line that introduces their author. The rest of a forwarded email is one quote. */
export function piecesOf(body: string): Piece[] {
  const lines = body.replaceAll("\r\n", "\n").split("\n");
  const original = lines.findIndex((line) => ORIGINAL.test(line.trim()));
  const own = original === -1 ? lines : lines.slice(0, original);
  const pieces: Piece[] = [];
  for (const [index, line] of own.entries()) {
    const isQuote = line.startsWith(">") || introduces(own, index);
    const last = pieces.at(-1);
    if (last !== undefined && (last.isQuote === isQuote || (last.isQuote && line.trim() === "")))
      last.text += `\n${line}`;
    else pieces.push({ isQuote, text: line });
  }
  if (original !== -1) pieces.push({ isQuote: true, text: lines.slice(original).join("\n") });
  return pieces.filter(({ text }) => text.trim() !== "");
}

/** Recognises "On 3 May, Orla wrote:", followed by the quote. */
function introduces(lines: readonly string[], index: number): boolean {
  if (!INTRODUCES.test(lines[index]!.trim())) return false;
  return (
    lines
      .slice(index + 1, index + 3)
      .find((line) => line.trim() !== "")
      ?.startsWith(">") === true
  );
}

export const unquoted = (body: string): Html =>
  html`${piecesOf(body).map(({ isQuote, text }) =>
    isQuote
      ? html`<details class="quote"><summary class="note">Quoted text</summary><div class="text"><bdi>${text.trim()}</bdi></div></details>`
      : html`<div class="text"><bdi>${text.trim()}</bdi></div>`,
  )}`;
