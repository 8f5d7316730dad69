// Turns templates into sentences: "{slot}", "{3..9}", "{0.5..2.5}" and "[this|that]".
import type { Random } from "./random.ts";

export type Slots = Readonly<Record<string, string | readonly string[]>>;

type TemplatePart =
  | { kind: "text"; text: string }
  | { kind: "slot"; name: string }
  | { kind: "number"; min: number; max: number; decimals: number }
  | { kind: "choice"; options: TemplatePart[][] };

const TOKEN = /\{([^{}]+)\}|\[([^[\]]*\|[^[\]]*)\]/g;
const RANGE = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$/;
const parsed = new Map<string, TemplatePart[]>();

export function write(random: Random, template: string, slots: Slots = {}): string {
  return render(random, parse(template), slots);
}

/** Chooses one value per slot, so that all sentences in a text are about the same thing. */
export function settle(random: Random, slots: Slots): Record<string, string> {
  const settled: Record<string, string> = {};
  for (const [name, value] of Object.entries(slots))
    settled[name] = typeof value === "string" ? value : random.pick(value);
  return settled;
}

/** Makes sentences begin with a capital letter, even if they begin with a slot. */
export function capital(text: string): string {
  return text.replace(/(^|[.!?] )(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
}

function parse(template: string): TemplatePart[] {
  const known = parsed.get(template);
  if (known) return known;
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of template.matchAll(TOKEN)) {
    if (match.index > end) parts.push({ kind: "text", text: template.slice(end, match.index) });
    parts.push(match[1] === undefined ? choice(match[2]!) : slot(match[1]));
    end = match.index + match[0].length;
  }
  if (end < template.length) parts.push({ kind: "text", text: template.slice(end) });
  parsed.set(template, parts);
  return parts;
}

function choice(inside: string): TemplatePart {
  return { kind: "choice", options: inside.split("|").map(parse) };
}

function slot(inside: string): TemplatePart {
  const range = RANGE.exec(inside);
  if (!range) return { kind: "slot", name: inside };
  const decimals = Math.max(...[range[1]!, range[2]!].map((text) => text.split(".")[1]?.length ?? 0));
  return { kind: "number", min: Number(range[1]), max: Number(range[2]), decimals };
}

function render(random: Random, parts: TemplatePart[], slots: Slots): string {
  let text = "";
  for (const part of parts) {
    if (part.kind === "text") text += part.text;
    else if (part.kind === "choice") text += render(random, random.pick(part.options), slots);
    else if (part.kind === "number") text += (part.min + random.next() * (part.max - part.min)).toFixed(part.decimals);
    else {
      const value = slots[part.name];
      if (value === undefined) throw new Error(`no slot "${part.name}"`);
      const chosen = typeof value === "string" ? value : random.pick(value);
      text += chosen.includes("{") || chosen.includes("|") ? render(random, parse(chosen), slots) : chosen;
    }
  }
  return text;
}
