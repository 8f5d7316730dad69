// A grant in plain words, for lists, pages, receipts, and the reason for a denial.
import type { FilePower } from "../contract/file-access.ts";
import type { Grant, GrantedStream, GrantWords } from "../contract/grant.ts";
import { NAME_MAX, WHY } from "../contract/limits.ts";
import type { RecordFilter } from "../contract/record-filter.ts";
import { cleanDisplayName } from "./display-name.ts";
import { formatInstant } from "./instant.ts";
import { partsWords } from "./kind-words.ts";
import { filterFieldsOf } from "./record-filter.ts";
import { rolesOf } from "./roles.ts";
import type { StreamShape } from "./scope.ts";
import { partsOf } from "./stream-parts.ts";
import { plainLine } from "./unsafe-characters.ts";
import { valueLabels } from "./value-labels.ts";

/** Current names of things in the owner's home. Deleted things have no name. */
export interface GrantLabels {
  connection(connectionId: string): string | undefined;
  /** The streams that a connection has. */
  streams(connectionId: string): readonly StreamShape[];
}

const PURPOSE_MAX = 500;

/** Says whether the app's identity was verified at approval (G-06), in the same words on pages and in the terminal. */
export const identityMark = (verifiedHost: string | undefined): "Verified host" | "Unverified" =>
  verifiedHost === undefined ? "Unverified" : "Verified host";

export function grantWords(grant: Grant, labels: GrantLabels): GrantWords {
  const { may } = grant.files ?? {};
  const reads = grantedReads(grant.streams, labels);
  return {
    app: appName(grant),
    reads: may === undefined ? reads : reads.map(({ whole: _whole, ...read }) => ({ ...read, may })),
    until: untilWords(grant),
    purpose: plainLine(grant.purpose_description ?? grant.purpose_code, PURPOSE_MAX),
  };
}

/** The name that the app gives itself, cleaned, or its id if nothing is left of the name. */
export function appName({ client: { client_id, client_display } }: Grant): string {
  return cleanDisplayName(client_display?.name ?? "") || plainLine(client_id, NAME_MAX);
}

/** Describes granted streams, one item for each connection. */
export function grantedReads(streams: readonly GrantedStream[], labels: GrantLabels): ReadWords[] {
  const reads = streams.flatMap((stream) => stream.instance_ids.map((id) => readWords(stream, id, labels)));
  return markWhole(reads, labels);
}

type ReadWords = GrantWords["reads"][number];

function readWords(stream: GrantedStream, connectionId: string, labels: GrantLabels): ReadWords {
  const { time_constraint: time, record_filter: filter, resources } = stream;
  const shape = labels.streams(connectionId).find(({ name }) => name === stream.name);
  const parts = shape && shownParts(shape, stream.fields);
  return {
    connection_id: connectionId,
    connection: labels.connection(connectionId) ?? `${connectionId} (deleted)`,
    stream: stream.name,
    fields: fieldWords(stream.fields, shape && [...shape.fields.keys()]),
    ...(time === undefined ? {} : { time: `${time.field} ${spanWords(time)}` }),
    ...(filter === undefined ? {} : { filter: filterWords(filter), ...filedIn(filter, shape) }),
    ...(resources === undefined ? {} : { records: recordWords(resources.length), chosen: resources.length }),
    what: cleanDisplayName(shape?.declaration.display?.label ?? stream.name),
    ...(parts === undefined ? {} : { parts }),
    ...(time?.since === undefined ? {} : { since: time.since }),
    ...(time?.until === undefined ? {} : { until: time.until }),
  };
}

/** How many values are listed; the grant's page lists all of them. */
const VALUES_LISTED = 3;

/** Returns, for example, `conversation_name is Family, Work`. */
export function filterWords({ field, values }: RecordFilter): string {
  return `${field} is ${someOf(values.map((value) => plainLine(value, NAME_MAX)))}`;
}

function filedIn({ field, values }: RecordFilter, shape: StreamShape | undefined): Pick<ReadWords, "filed"> {
  const role = shape && filterFieldsOf(shape).find(({ name }) => name === field)?.role;
  if (role === undefined) return {};
  const shown = values.slice(0, values.length === VALUES_LISTED + 1 ? values.length : VALUES_LISTED);
  const more = values.length - shown.length;
  return { filed: { role, values: valueLabels(shown), ...(more > 0 ? { more } : {}) } };
}

const shownParts = (shape: StreamShape, granted: readonly string[]): string | undefined =>
  partsWords(
    { roles: rolesOf(shape.declaration.schema), fields: partsOf(shape, shape.fields.keys()) },
    new Set(granted),
  );

/** A connection counts as granted in full if every stream is granted without a limit. */
function markWhole(reads: readonly ReadWords[], labels: GrantLabels): ReadWords[] {
  const unlimited = ({ parts, time, filter, records }: ReadWords): boolean =>
    [parts, time, filter, records].every((limit) => limit === undefined);
  const byConnection = Map.groupBy(reads, (read) => read.connection_id);
  const isWhole = (id: string): boolean => {
    const all = labels.streams(id);
    const own = byConnection.get(id)!;
    return all.length > 0 && all.every(({ name }) => own.some((read) => read.stream === name && unlimited(read)));
  };
  const whole = new Set([...byConnection.keys()].filter(isWhole));
  return reads.map((read) => (whole.has(read.connection_id) ? { ...read, whole: true } : read));
}

function fieldWords(granted: readonly string[], all: readonly string[] | undefined): string {
  if (all === undefined) return granted.join(", ");
  const kept = granted.filter((name) => all.includes(name));
  return kept.length === all.length
    ? `all ${all.length} fields`
    : `${kept.join(", ")} (${kept.length} of ${all.length})`;
}

const POWER_WORDS: Record<FilePower, (place: string) => string> = {
  navigate: (place) => `look through ${place}`,
  index: () => "start scans",
  curate: () => "collect selections",
  download: () => "download files",
};

/** Describes the powers of a grant on the files lens: `look through /home/nora/Photos, start scans`. */
export const mayWords = (may: readonly FilePower[], place: string): string =>
  may.map((power) => POWER_WORDS[power](place)).join(", ");

/** Returns `from A until B`, `since A` or `until B`. */
export function spanWords({ since, until }: { since?: string | number; until?: string | number }): string {
  if (since === undefined) return until === undefined ? "at any time" : `until ${timeWord(until)}`;
  return until === undefined ? `since ${timeWord(since)}` : `from ${timeWord(since)} until ${timeWord(until)}`;
}

const timeWord = (time: string | number): string => (typeof time === "number" ? formatInstant(time) : time);

export const recordWords = (records: number): string => (records === 1 ? "only 1 record" : `only ${records} records`);

function untilWords({ access_mode, expires_at }: Grant): string {
  const end = expires_at === undefined ? "until revoked" : `until ${expires_at}`;
  return access_mode === "single_use" ? `once, ${end}` : end;
}

/** Lists a few names, and says how many more there are. */
export function someOf(names: readonly string[]): string {
  const more = names.length - WHY.names;
  return more > 0 ? `${names.slice(0, WHY.names).join(", ")} and ${more} more` : names.join(", ");
}
