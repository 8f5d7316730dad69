// Finds lists of objects that a JSON file wraps in one object: `{"version": 2, "orders": [{…}, {…}]}`.
import type { Entry } from "../../entry.ts";
import { jsonItems } from "../json-items.ts";

/** How many other keys a report lists. */
const NAMED_MAX = 10;

/**
 * Returns true if the first list in an object is a list of objects, as far as the start of the file shows. GeoJSON and
 * similar formats, whose objects state their type, are not tables.
 */
export function wrapsList(text: string): boolean {
  const start = text.replace(/^\ufeff?\s*/, "");
  if (!start.startsWith("{") || /^\{\s*"type"\s*:\s*"/.test(start)) return false;
  let depth = 0;
  let key = "";
  for (const [token] of start.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]|:\s*\[\s*\{/g)) {
    if (depth === 1 && token.startsWith(":")) return key !== "";
    if (depth === 1 && token === "[") return false;
    if (token.startsWith('"')) key = token;
    else if (token.startsWith(":")) depth += 2;
    else if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
  }
  return false;
}

/**
 * Returns the lists of objects by name, with the number of items, and the names of all other keys. Reads the file to
 * its end.
 */
export async function listsIn(plain: Entry): Promise<{ lists: Map<string, number>; others: string[] }> {
  const sizes = new Map<string, number>();
  const ofObjects = new Set<string>();
  const look = jsonItems(plain, (path) => {
    const [name, at, member] = path;
    if (typeof name !== "string") return false;
    if (path.length === 1) sizes.set(name, 0);
    if (path.length === 2 && typeof at === "number") sizes.set(name, at + 1);
    if (path.length === 3 && typeof at === "number" && typeof member === "string") ofObjects.add(name);
    return false;
  });
  try {
    for await (const _item of look);
  } catch (error) {
    // A truncated file still contains the lists before the cut. The run will report what is wrong.
    if (ofObjects.size === 0) throw error;
  }
  const lists = new Map([...sizes].filter(([name]) => ofObjects.has(name)));
  return { lists, others: [...sizes.keys()].filter((name) => !ofObjects.has(name)) };
}

export function besidesLists(others: readonly string[]): string | undefined {
  if (others.length === 0) return undefined;
  const named = others.slice(0, NAMED_MAX).map((name) => JSON.stringify(name.slice(0, 50)));
  const rest = others.length - named.length;
  return `besides its lists the file contains ${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}, which are not rows and are not imported`;
}
