// Checkpoints for formats that are parsed from their beginning: a resumed run parses again and skips what is stored.
import { hash } from "node:crypto";
import type { JsonValue } from "../../contract/json.ts";
import type { Entry } from "../entry.ts";
import type { ImportEvent } from "../importer.ts";

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
  eventsOf: (entry: Entry) => AsyncIterable<ImportEvent>,
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

/** A short name for these parts together: 96 bits, so that a million of them do not collide. */
export function digestOf(...parts: readonly string[]): string {
  return hash("sha256", JSON.stringify(parts), "base64url").slice(0, 16);
}
