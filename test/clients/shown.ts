// What a host shows its model of the gate: compared with what the gate said on the wire.
import type { Loose } from "../harness.ts";
import { textIn } from "./models/model.ts";

export interface Shown {
  /** Tools whose whole definition stands in the first request; the others are looked up or not shown. */
  definitions_at_first: number;
  names_at_first: number;
  /** Characters of the instructions, and how many there are. */
  instructions: [shown: number, all: number];
  /** Characters of the five descriptions, once the model has looked for them. */
  descriptions: [shown: number, all: number];
  results: ShownResult[];
}

export interface ShownResult {
  tool: string;
  half: "content" | "structuredContent" | "both" | "neither";
  /** Characters of that half. */
  shown: number;
  all: number;
}

/** What the gate said. */
export interface Said {
  instructions: string;
  tools: { name: string; description: string }[];
  /** Calls in order. */
  calls: { tool: string; content: string; structured: Loose }[];
}

/** What the host made of it. */
export interface Heard {
  first: Loose;
  last: Loose;
  /** The name of a tool as the host writes it. */
  hostName(tool: string): string;
  /** Results of calls of the gate, in the order of `calls`. */
  results: string[];
}

export function shownOf({ instructions, tools, calls }: Said, { first, last, hostName, results }: Heard): Shown {
  const [atFirst, atLast] = [textIn(first), textIn(last)];
  const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);
  return {
    definitions_at_first: tools.filter(({ description }) => atFirst.includes(description)).length,
    names_at_first: tools.filter(({ name }) => atFirst.includes(hostName(name))).length,
    instructions: [shownPart(instructions, atFirst), instructions.length],
    descriptions: [
      sum(tools.map(({ description }) => shownPart(description, atLast))),
      sum(tools.map(({ description }) => description.length)),
    ],
    results: calls.flatMap((call, index) => (results[index] === undefined ? [] : [resultOf(call, results[index])])),
  };
}

function resultOf({ tool, content, structured }: Said["calls"][number], text: string): ShownResult {
  const spellings = [JSON.stringify(structured), JSON.stringify(structured, null, 2)];
  const asJson = spellings.find((one) => shownPart(one, text) >= Math.min(200, one.length)) ?? spellings[0]!;
  const [data, prose] = [shownPart(asJson, text), shownPart(content, text)];
  if (data > 0 && prose > 0) return { tool, half: "both", shown: data + prose, all: asJson.length + content.length };
  if (data > 0) return { tool, half: "structuredContent", shown: data, all: asJson.length };
  if (prose > 0) return { tool, half: "content", shown: prose, all: content.length };
  return { tool, half: "neither", shown: 0, all: asJson.length };
}

/** Fewer than these in common are chance. */
const CHANCE = 40;

/** How much of the beginning of a text stands in another, however that breaks and indents its lines. */
function shownPart(text: string, within: string): number {
  const [wanted, there] = [text, within].map((one) => one.replace(/\s+/g, " ")) as [string, string];
  let [low, high] = [0, wanted.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (there.includes(wanted.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low === wanted.length ? text.length : low < CHANCE ? 0 : low;
}
