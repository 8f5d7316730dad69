// Checkpoints for formats that can only be parsed from the beginning: a resumed run parses again and skips what is
// already stored.
import { hash } from "node:crypto";
import type { JsonValue } from "../../contract/json.ts";
import type { Entry } from "../entry.ts";
import { entriesFrom, type ImportContext, type ImportEvent, type ImportInput } from "../importer.ts";

const CHECKPOINT_EVENTS = 1000;

/**
 * Yields the events of one entry with checkpoints between them. The position is the number of events so far. If the
 * parser itself fails, that counts as one error, and the next entry follows. A blob that cannot be stored is different:
 * the runner stops and does not resume this generator.
 */
export const replayed = (
  entry: Entry,
  position: JsonValue | undefined,
  events: AsyncIterable<ImportEvent>,
): AsyncGenerator<ImportEvent> =>
  replayedEntries([{ entry, ...(position === undefined ? {} : { position }) }], () => events);

/** Like `replayed`, for several entries in turn. Nesting generators would add a step per event. */
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
  /** Returns true if a file contains items. The other files are media that items show. */
  isList: (entry: Entry) => boolean;
  eventsOf: EventsOf;
  /** The media that no item in the whole run showed. */
  unused: () => Iterable<Entry>;
  /** The reason the unused media are skipped. */
  reason: string;
}

/**
 * Like `replayedRun`, for an export with media next to its lists. A resumed run does not know which media the earlier
 * items showed.
 */
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

/** A short digest of these parts together. It has 96 bits, so that a million digests do not collide. */
export function digestOf(...parts: readonly string[]): string {
  return hash("sha256", JSON.stringify(parts), "base64url").slice(0, 16);
}
