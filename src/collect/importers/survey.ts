// Keeps one copy of an item that several files of one import contain in slightly different forms. The choice does not
// depend on the file order.
import type { Entry } from "../entry.ts";
import type { ImportEvent } from "../importer.ts";
import { createKeptCopies } from "./kept-copy.ts";
import { digestOf } from "./replay.ts";

/**
 * Reads the entries once and decides what happens to each event: among records with the same key the longest is kept,
 * and the others are skipped. A single entry is not read, because the records that an importer finds in one file have
 * distinct keys.
 */
export async function surveyCopies(
  entries: readonly Entry[],
  eventsOf: (entry: Entry) => AsyncIterable<ImportEvent>,
): Promise<(event: ImportEvent) => ImportEvent> {
  if (entries.length < 2) return (event) => event;
  const copies = createKeptCopies();
  const numbers = new Map(entries.map(({ path }, index) => [path, index]));
  for (const [index, entry] of entries.entries()) {
    let isWhole = true;
    try {
      for await (const event of eventsOf(entry))
        if (event.kind === "record") copies.note(nameOf(event), rankOf(event), index, event.offset ?? 0);
    } catch {
      // The run reports what is wrong with the file.
      isWhole = false;
    }
    copies.settle(isWhole);
  }
  return (event) => {
    if (event.kind !== "record") return event;
    const number = numbers.get(event.entry.path);
    const { entry, offset = 0 } = event;
    return number === undefined || copies.isKept(nameOf(event), number, offset)
      ? event
      : { kind: "skip", entry, offset, reason: "another file in this import has the same item with more details" };
  };
}

type Found = Extract<ImportEvent, { kind: "record" }>;

const nameOf = ({ stream, key }: Found): string => `${stream} ${[key].flat().join(" ")}`;

function rankOf({ data }: Found): string {
  const text = JSON.stringify(data);
  return `${String(text.length).padStart(8, "0")} ${digestOf(text)}`;
}
