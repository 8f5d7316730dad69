// The form on the grant edit page. It turns check boxes and dates into the requested change to the grant.
import { DURATIONS, type Duration, type OfferedStream } from "../../../contract/consent.ts";
import { PdppError } from "../../../contract/errors.ts";
import { FILE_POWERS } from "../../../contract/file-access.ts";
import type { GrantEdit } from "../../../contract/grant-request.ts";
import type { RecordFilter } from "../../../contract/record-filter.ts";
import { parseDay } from "../../../core/instant.ts";
import { startOfDay } from "../../../core/start-of-day.ts";
import { onlyIn, placeOfKey } from "../pages/consent-view.ts";
import { dayAt } from "./explore/local-days.ts";
import type { GrantLine } from "./grant-edit.ts";

/** Keeps the parts of a stream, or the expiry of a grant, unchanged. */
export const AS_NOW = "now";
export const partsName = (key: string): string => `parts:${key}`;
/**
 * The names of the check box that lifts a limit to some chats, folders or categories, and of the hidden input with the
 * limited field.
 */
export const everyName = (key: string): string => `every:${key}`;
export const filedName = (key: string): string => `filed:${key}`;

/** The choices for when a grant ends. */
export const ENDS = Object.entries(DURATIONS).filter(([value]) => value !== "once") as [
  Exclude<Duration, "once">,
  { label: string; seconds: number | null },
][];

type Bound = "since" | "until";

/** Returns the day that every dated stream has as its bound; `mixed` is true if they differ. */
export function sharedDay(
  held: readonly GrantLine[],
  bound: Bound,
  zone: string,
): { day?: string; time?: string; mixed: boolean } {
  const dated = held.filter(({ isDated }) => isDated);
  const times = new Set(dated.map(({ stream }) => stream.time_constraint?.[bound]));
  if (times.size > 1) return { mixed: true };
  const [time] = times;
  return time === undefined ? { mixed: false } : { day: dayAt(Date.parse(time), zone), time, mixed: false };
}

interface EditedGrant {
  id: string;
  isFiles: boolean;
  held: readonly GrantLine[];
  offered: readonly OfferedStream[];
  zone: string;
  now: number;
}

export function editIn(form: URLSearchParams, grant: EditedGrant): GrantEdit {
  const end = ENDS.find(([value]) => value === form.get("end"))?.[1].seconds;
  const may = FILE_POWERS.filter((power) => power === "navigate" || form.getAll("may").includes(power));
  return {
    id: grant.id,
    ...(grant.isFiles ? { may } : { selections: selectionsIn(form, grant) }),
    ...(end === undefined ? {} : { expires_in_seconds: end }),
  };
}

function selectionsIn(
  form: URLSearchParams,
  { held, offered, zone }: EditedGrant,
): NonNullable<GrantEdit["selections"]> {
  const chosen = [...new Set(form.getAll("stream"))].flatMap((key) => {
    const place = placeOfKey(key);
    const line = offered.find((one) => one.connection_id === place?.connectionId && one.stream === place.stream);
    return line === undefined ? [] : [{ key, line }];
  });
  if (chosen.length === 0) {
    throw new PdppError("invalid_request", "nothing is chosen; choose at least one line, or revoke the grant", {
      param: "stream",
    });
  }
  const days = { since: boundIn(form, "since", held, zone), until: boundIn(form, "until", held, zone) };
  return chosen.map(({ key, line }) => {
    const now = held.find(
      ({ connectionId, stream }) => connectionId === line.connection_id && stream.name === line.stream,
    )?.stream;
    const fields = line.presets.find(({ id }) => id === form.get(partsName(key)))?.fields;
    const only = onlyNow(form, key, line, now);
    // A line that is already in the grant keeps everything that the form did not change. A new line gets the days that
    // the form shows.
    const bound = (name: Bound): string | null | undefined =>
      line.time_field === undefined || (now !== undefined && !days[name].changed) ? undefined : days[name].time;
    return {
      connection_id: line.connection_id,
      stream: line.stream,
      // Adds the fields that are always included, because a preset does not have to list them. The list is therefore
      // never empty.
      ...(fields === undefined ? {} : { fields: [...new Set([...alwaysIn(line), ...fields])] }),
      since: bound("since"),
      until: bound("until"),
      record_filter: only,
    };
  });
}

/**
 * If nothing is ticked, an unlimited line stays unlimited, but a limited line is never extended by mistake. Null lifts
 * the limit.
 */
function onlyNow(
  form: URLSearchParams,
  key: string,
  { label }: OfferedStream,
  now: GrantLine["stream"] | undefined,
): RecordFilter | null | undefined {
  const { only } = onlyIn(form, key);
  const held = now?.record_filter;
  if (form.get(everyName(key)) !== null) return null;
  // The page offers the values of one field. A filter on another field is kept unchanged.
  if (only !== undefined || held === undefined || form.get(filedName(key)) !== held.field) return only ?? held;
  throw new PdppError("invalid_request", `${label}: nothing is ticked; tick what it may see, or untick the line`, {
    param: "stream",
  });
}

const alwaysIn = ({ fields }: OfferedStream): string[] => fields.flatMap(({ name, always }) => (always ? [name] : []));

/** A day that the owner did not change keeps its bound, which may be a time within that day. Null means any time. */
function boundIn(
  form: URLSearchParams,
  bound: Bound,
  held: readonly GrantLine[],
  zone: string,
): { changed: boolean; time: string | null } {
  const day = form.get(bound) ?? "";
  const shared = sharedDay(held, bound, zone);
  if (day === (shared.day ?? "")) return { changed: false, time: shared.time ?? null };
  if (day === "") return { changed: true, time: null };
  if (parseDay(day) === undefined)
    throw new PdppError("invalid_request", "enter dates as YYYY-MM-DD, such as 2026-01-31", { param: bound });
  return { changed: true, time: new Date(startOfDay(day, zone)).toISOString() };
}
