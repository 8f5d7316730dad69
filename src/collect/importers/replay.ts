// Checkpoints for formats that are parsed from their beginning: a resumed run parses again and skips what is stored.
import { hash } from "node:crypto";
import type { JsonValue } from "../../contract/json.ts";
import type { Entry } from "../entry.ts";
import { entriesFrom, type ImportContext, type ImportEvent, type ImportInput } from "../importer.ts";

const CHECKPOINT_EVENTS = 1000;

/**
 * The events of one entry with checkpoints between them; the position is how many came before. If the parser as a whole
 * fails, that is one error, and the next entry follows. A blob that cannot be stored is different: the runner stops,
 * and this generator is not resumed.
 */
export const replayed = (
  entry: Entry,
  position: JsonValue | undefined,
  events: AsyncIterable<ImportEvent>,
): AsyncGenerator<ImportEvent> =>
  replayedEntries([{ entry, ...(position === undefined ? {} : { position }) }], () => events);

/** The same for one entry after another: nested generators would be another step for each event. */
export async function* replayedEntries(
  entries: Iterable<{ entry: Entry; position?: JsonValue }>,
  eventsOf: EventsOf,
): AsyncGenerator<ImportEvent> {
  for (const { entry, position } of entries) {
    const stored = typeof position === "number" ? position : 0;
    let seen = 0;
    try {
      for await (const event of eventsOf(entry)) {
        seen++;
        if (seen <= stored) continue;
        yield event;
        if (seen % CHECKPOINT_EVENTS === 0) yield { kind: "checkpoint", entry, position: seen };
      }
    } catch (error) {
      seen++;
      if (seen > stored) yield { kind: "error", entry, message: (error as Error).message };
    }
    yield { kind: "checkpoint", entry, position: seen };
  }
}

type EventsOf = (entry: Entry) => AsyncIterable<ImportEvent>;

/** The run of an importer that parses each of its files from the beginning. */
export const replayedRun = (
  input: ImportInput,
  context: ImportContext,
  eventsOf: EventsOf,
): AsyncGenerator<ImportEvent> => replayedEntries(entriesFrom(input, context), eventsOf);

interface Lists {
  /** Whether a file has items; the others are media that items show. */
  isList: (entry: Entry) => boolean;
  eventsOf: EventsOf;
  /** Media that no item of the whole run showed. */
  unused: () => Iterable<Entry>;
  /** Why those are skipped. */
  reason: string;
}

/** The same for an export with media beside its lists. A resumed run does not know which media the earlier items showed. */
export async function* replayedLists(
  input: ImportInput,
  context: ImportContext,
  { isList, eventsOf, unused, reason }: Lists,
): AsyncGenerator<ImportEvent> {
  const lists = [...entriesFrom(input, context)].filter(({ entry }) => isList(entry));
  yield* replayedEntries(lists, eventsOf);
  const last = lists.at(-1)?.entry;
  if (last === undefined || context.resume !== undefined) return;
  for (const entry of unused()) yield { kind: "skip", entry, reason };
  yield { kind: "checkpoint", entry: last };
}

/** A short name for these parts together: 96 bits, so that a million of them do not collide. */
export function digestOf(...parts: readonly string[]): string {
  return hash("sha256", JSON.stringify(parts), "base64url").slice(0, 16);
}
