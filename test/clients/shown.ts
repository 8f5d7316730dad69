// Measures how much of the server's messages a host shows its model, compared with the recorded traffic.
import type { Loose } from "../harness.ts";
import { recordIds } from "../mcp.ts";
import { textIn } from "./models/model.ts";

export interface Shown {
  /**
   * The number of tools whose whole definition is in the first request. The model looks up the others, or never sees
   * them.
   */
  definitions_at_first: number;
  names_at_first: number;
  /** The number of characters of the instructions that were shown, and in total. */
  instructions: [shown: number, all: number];
  /** The number of characters of the five descriptions, after the model has looked them up. */
  descriptions: [shown: number, all: number];
  results: ShownResult[];
}

export interface ShownResult {
  tool: string;
  half: "content" | "structuredContent" | "both" | "neither";
  /** The number of characters of that half (text or data). */
  shown: number;
  all: number;
  /** For a page: the number of records whose id is shown, and the number of records. */
  records?: [shown: number, all: number];
}

/** The server's messages. */
export interface Said {
  instructions: string;
  tools: { name: string; description: string }[];
  /** The calls in order. */
  calls: { tool: string; content: string; structured: Loose }[];
}

/** The messages as the host shows them to its model. */
export interface Heard {
  first: Loose;
  last: Loose;
  /** Returns the host's name for a tool. */
  hostName(tool: string): string;
  /** Results of tool calls, in the order of `calls`. */
  results: string[];
}

export function shownOf({ instructions, tools, calls }: Said, { first, last, hostName, results }: Heard): Shown {
  const [atFirst, atLast] = [textIn(first), textIn(last)];
  const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);
  return {
    definitions_at_first: tools.filter(({ description }) => atFirst.includes(description)).length,
    names_at_first: tools.filter(({ name }) => atFirst.includes(hostName(name))).length,
    instructions: [beginningShown(instructions, atFirst), instructions.length],
    descriptions: [
      sum(tools.map(({ description }) => beginningShown(description, atLast))),
      sum(tools.map(({ description }) => description.length)),
    ],
    results: calls.flatMap((call, index) => (results[index] === undefined ? [] : [resultOf(call, results[index])])),
  };
}

function resultOf({ tool, content, structured }: Said["calls"][number], result: string): ShownResult {
  // Some hosts show the whole result as JSON, which escapes the line breaks in the text.
  const text = `${result}\n${result.replaceAll("\\n", "\n").replaceAll('\\"', '"')}`;
  const spellings = [JSON.stringify(structured), JSON.stringify(structured, null, 2)];
  const asJson = spellings.find((one) => shownPart(one, text) >= Math.min(200, one.length)) ?? spellings[0]!;
  // The end of the text can also occur in the data, so the text counts as shown only if its beginning is shown.
  const [data, prose] = [shownPart(asJson, text), beginningShown(content, text) === 0 ? 0 : shownPart(content, text)];
  const ids = tool === "query_records" ? recordIds(structured) : undefined;
  const records: Pick<ShownResult, "records"> =
    ids === undefined ? {} : { records: [ids.filter((id) => text.includes(id)).length, ids.length] };
  if (data > 0 && prose > 0) {
    const all = asJson.length + content.length;
    return { tool, half: "both", shown: data + prose === all ? all : Math.min(result.length, all), all, ...records };
  }
  if (data > 0) return { tool, half: "structuredContent", shown: data, all: asJson.length, ...records };
  if (prose > 0) return { tool, half: "content", shown: prose, all: content.length, ...records };
  return { tool, half: "neither", shown: 0, all: asJson.length, ...records };
}

/** Shorter matches are coincidences. */
const CHANCE = 40;

/**
 * Returns the length of the longest part of one string that occurs in another, ignoring line breaks and indentation.
 */
function longestShown(text: string, within: string, part: (text: string, length: number) => string): number {
  const [wanted, there] = [text, within].map((one) => one.replace(/\s+/g, " ")) as [string, string];
  let [low, high] = [0, wanted.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (there.includes(part(wanted, middle))) low = middle;
    else high = middle - 1;
  }
  return low === wanted.length ? text.length : low < CHANCE ? 0 : low;
}

const beginningShown = (text: string, within: string): number =>
  longestShown(text, within, (wanted, length) => wanted.slice(0, length));

/**
 * Returns how much of one string occurs in another, counted from its start and, if the middle was cut, also from its
 * end.
 */
function shownPart(text: string, within: string): number {
  const beginning = beginningShown(text, within);
  if (beginning === text.length) return beginning;
  const end = longestShown(text, within, (wanted, length) => wanted.slice(wanted.length - length));
  return Math.min(text.length, beginning + end);
}
