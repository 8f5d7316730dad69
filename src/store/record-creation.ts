// Determines whether the import that wrote a record's current state also created the record.
import { type History, lastCreation } from "../core/history.ts";

export function bornAt(origin: string | null, history: string | null): boolean {
  if (history === null) return true;
  const born = lastCreation(JSON.parse(history) as History);
  return runIn(born) === runIn(origin);
}

const runIn = (origin: string | null): string | undefined =>
  origin === null ? undefined : (JSON.parse(origin) as { run_id?: string }).run_id;
