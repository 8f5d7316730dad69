// The default columns of a record table: the record's time, its title, and the facts of its kind.
import { KINDS } from "../contract/kinds.ts";
import type { StreamMetadata } from "../contract/schema-document.ts";
import { guessedColumns, guessedLeadingField } from "./guesses.ts";
import { fieldWith } from "./roles.ts";
import { rolesIn, timeFieldIn } from "./title.ts";

const COLUMNS_MAX = 5;
/** Roles that can introduce a record, best first. */
const LEADING_ROLES = ["title", "text", "counterparty", "activity", "metric", "url"] as const;

export function leadingField(metadata: StreamMetadata): string | undefined {
  const roles = rolesIn(metadata);
  if (roles === undefined) return guessedLeadingField(metadata);
  return LEADING_ROLES.map((role) => fieldWith(roles, role)).find((name) => name !== undefined);
}

/**
 * `first` says whether a row starts with its time, or with its title, which is the link on pages. For a stream without
 * a kind, returns a few short fields.
 */
export function defaultColumns(metadata: StreamMetadata, first: "time" | "title"): string[] {
  const [time, title] = [timeFieldIn(metadata), leadingField(metadata)];
  const leading = first === "time" ? [time, title] : [title, time];
  const roles = rolesIn(metadata);
  const facts =
    roles === undefined ? guessedColumns(metadata) : KINDS[roles.kind].facts.map((role) => fieldWith(roles, role));
  return [...new Set([...leading, ...facts])].filter((name) => name !== undefined).slice(0, COLUMNS_MAX);
}
