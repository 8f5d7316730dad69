// Explains why a call was denied, citing the part of the grant that caused it. The explanation is derived
// from the grant and the request, never from hidden data. For anything outside the grant, the explanation is the same
// whether or not the thing exists (SECURITY.md row 10).
import type { Bearer } from "../contract/answers.ts";
import type { FilePower } from "../contract/file-access.ts";
import type { Grant } from "../contract/grant.ts";
import { NAME_MAX, WHY } from "../contract/limits.ts";
import type { RecordFilter } from "../contract/record-filter.ts";
import type { Why, WhyRequest } from "../contract/why.ts";
import { filterWords, mayWords, recordWords, someOf, spanWords } from "./grant-words.ts";
import { formatInstant } from "./instant.ts";
import type { Scope, ScopeRow } from "./scope.ts";
import { plainLine } from "./unsafe-characters.ts";

type WhyLine = Pick<Why, "grant_id" | "decided_by" | "says">;

/** Makes names from an untrusted caller safe to show in a log and in a sentence. */
export function printableRequest({ stream, connection_id, field, power }: WhyRequest): WhyRequest {
  return {
    ...(power === undefined ? {} : { power }),
    ...(stream === undefined ? {} : { stream: plainName(stream) }),
    ...(connection_id === undefined ? {} : { connection_id: plainName(connection_id) }),
    ...(field === undefined ? {} : { field: plainName(field) }),
  };
}

/** A token sent in place of a name must not get into the log (SECURITY.md row 20). */
const TOKEN = /pdpp_[a-z]+_[\w-]*/g;

const plainName = (name: string): string => plainLine(name, NAME_MAX).replace(TOKEN, "pdpp_…");

export function whyNotField(row: ScopeRow, field: string): Why {
  return {
    ...lineOf(row, ".fields", `${place(row)}: ${someOf([...(row.fields ?? [])])}; not ${plainName(field)}`),
    asked: printableRequest({ stream: row.stream.name, connection_id: row.stream.connectionId, field }),
  };
}

/** The owner is told the names and values of fields that the grant hides; the app is not. */
export type WhyReader = "app" | "owner";

export function whyNotTime(row: ScopeRow, reader: WhyReader = "app"): Why {
  return { ...lineOf(row, ".time_constraint", `${place(row)}: ${limits(row, reader)}`), asked: askedOf(row) };
}

/**
 * Explains why a record was not found: it does not exist or is outside this grant. Only a limit of the grant can hide a
 * record, so the limit is given in both cases.
 */
export function whyNotRecord(row: ScopeRow, reader: WhyReader = "app"): Why | undefined {
  const { time, filter, resources } = row;
  const members = [
    ...(time === undefined ? [] : [".time_constraint"]),
    ...(filter === undefined ? [] : [".record_filter"]),
    ...(resources === undefined ? [] : [".resources"]),
  ];
  if (members.length === 0) return undefined;
  const member = members.length === 1 ? members[0]! : "";
  const says = `${place(row)}: ${limits(row, reader)}; anything else is treated as if it did not exist`;
  return { ...lineOf(row, member, says), asked: askedOf(row) };
}

export function whyNotBlob(scope: Scope): Why {
  const says = `reads ${someOf(scope.rows.map(place))}; a blob can be read only through a record and field of one of these streams`;
  return { ...holder(scope.bearer), decided_by: "streams", says };
}

export function whyNotStream(scope: Scope, stream: string, connectionId: string | undefined): Why {
  const asked = printableRequest({ stream, connection_id: connectionId });
  const ended = endedLine(scope, (grant) =>
    grant.streams.some(({ name, instance_ids }) => name === stream && names(instance_ids, connectionId)),
  );
  if (ended !== undefined) return { ...ended, ...packageOf(scope.bearer), asked };
  const here = scope.rows.filter((row) => connectionId === undefined || row.stream.connectionId === connectionId);
  const says = `reads ${someOf(here.map(place))}; not ${plainName(stream)}`;
  const grants = new Set(here.map((row) => row.grantId));
  if (grants.size === 1) {
    const one = { grant_id: here[0]!.grantId, decided_by: "streams", says };
    return { ...one, ...packageOf(scope.bearer), asked, ...closest(scope, stream, grants) };
  }
  const none = `none of the ${grants.size} grants includes the stream ${plainName(stream)}; the package ${says}`;
  return { ...holder(scope.bearer), decided_by: "streams", says: grants.size === 0 ? nothingLeft : none, asked };
}

export function whyNotConnection(scope: Scope, connectionId: string): Why {
  const asked = printableRequest({ connection_id: connectionId });
  const ended = endedLine(scope, (grant) =>
    grant.streams.some(({ instance_ids }) => instance_ids.includes(connectionId)),
  );
  if (ended !== undefined) return { ...ended, ...packageOf(scope.bearer), asked };
  const connections = new Map(scope.rows.map(({ stream }) => [stream.connectionId, stream.displayName]));
  const reads = someOf([...connections].map(([id, name]) => `${plainName(name)} (${id})`));
  const says = connections.size === 0 ? nothingLeft : `reads ${reads}; not ${plainName(connectionId)}`;
  return { ...holder(scope.bearer), decided_by: "streams[].instance_ids", says, asked };
}

export function whyNotRoot(scope: Scope, connectionId: string): Why {
  const asked = printableRequest({ connection_id: connectionId });
  const ended = endedLine(scope, (grant) =>
    grant.streams.some(({ instance_ids }) => instance_ids.includes(connectionId)),
  );
  if (ended !== undefined) return { ...ended, ...packageOf(scope.bearer), asked };
  const roots = someOf(scope.rows.map(({ stream }) => plainName(stream.displayName)));
  const says = scope.rows.length === 0 ? nothingLeft : `may look through ${roots}; not ${plainName(connectionId)}`;
  return { ...holder(scope.bearer), decided_by: "streams[].instance_ids", says, asked };
}

/** Explains why a power is missing on the given roots. */
export function whyNotPower({ bearer }: Scope, rows: readonly ScopeRow[], power: FilePower): Why {
  const [only, ...others] = rows;
  const allowed = rows.map(({ may = [], stream }) => mayWords(may, plainName(stream.displayName)));
  const says = only === undefined ? nothingLeft : `may ${someOf(allowed)}; not ${power}`;
  const one = others.length === 0 ? only : undefined;
  return {
    ...holder(bearer),
    ...(one?.grantId === undefined ? {} : { grant_id: one.grantId }),
    decided_by: "files.may",
    says,
    asked: printableRequest({ power, ...(one === undefined ? {} : { connection_id: one.stream.connectionId }) }),
  };
}

const nothingLeft = "nothing that the grant covers exists any more";

/** A grant can only read; everything else is reserved for the owner. */
export function whyOwnerOnly(bearer: Bearer): Why {
  const says = "this is a grant token, which can only read what the grant covers; only the owner may make this call";
  return { ...holder(bearer), decided_by: "pdpp_token_kind", says };
}

/** A grant and its current state. */
export interface GrantState {
  grant: Grant;
  revokedAt: number | null;
  consumedAt: number | null;
}

type EndCode = "grant_revoked" | "grant_expired" | "grant_consumed";

/** Explains why a grant ended; for several grants, uses the one that lasted longest. */
export function whyEnded(bearer: Bearer, grants: readonly GrantState[], code: EndCode): Why {
  const lines = grants.map((state) => endLine(state, code)).filter((line) => line !== undefined);
  const last = lines.reduce((a, b) => (b.at > a.at ? b : a), lines[0] ?? { at: 0, ...unknownEnd });
  const { at: _at, ...line } = last;
  const says =
    grants.length > 1 ? `all ${grants.length} grants in the package have ended; the last one: ${line.says}` : line.says;
  return { ...line, says, ...packageOf(bearer) };
}

export const whyPaused = (bearer: Bearer, { grant }: GrantState): Why => ({
  grant_id: grant.grant_id,
  ...packageOf(bearer),
  decided_by: "paused_at",
  says: pausedSince(grant),
});

const pausedSince = ({ paused_at = "" }: Grant): string =>
  paused_at === "" ? "the owner had paused it" : `the owner paused it at ${paused_at}`;

const unknownEnd = { decided_by: "grant_id", says: "the grant for this token no longer exists" };

export const whyNoGrant = (bearer: Bearer): Why => ({ ...holder(bearer), ...unknownEnd });

export function whyTokenEnded(bearer: Bearer, expiresAt: number): Why {
  return { ...holder(bearer), decided_by: "token", says: `the token was valid until ${formatInstant(expiresAt)}` };
}

function endLine({ grant, revokedAt, consumedAt }: GrantState, code: EndCode): (WhyLine & { at: number }) | undefined {
  const { grant_id, expires_at } = grant;
  if (revokedAt !== null)
    return {
      at: revokedAt,
      grant_id,
      decided_by: "revoked_at",
      says: `it was revoked at ${formatInstant(revokedAt)}`,
    };
  if (code === "grant_consumed" && consumedAt !== null)
    return {
      at: consumedAt,
      grant_id,
      decided_by: "access_mode",
      says: `it was for a single use, and was used at ${formatInstant(consumedAt)}`,
    };
  if (grant.paused_at !== undefined)
    return { at: Date.parse(grant.paused_at), grant_id, decided_by: "paused_at", says: pausedSince(grant) };
  if (expires_at === undefined) return undefined;
  return { at: Date.parse(expires_at), grant_id, decided_by: "expires_at", says: `it was valid until ${expires_at}` };
}

/** A package remains valid without its ended grants. Their streams are reported as ended, not as never granted. */
function endedLine(scope: Scope, names: (grant: Grant) => boolean): WhyLine | undefined {
  const found = scope.ended?.find(({ grant }) => names(grant));
  if (found === undefined) return undefined;
  const { at: _at, ...line } = endLine(found, "grant_expired") ?? {
    at: 0,
    grant_id: found.grant.grant_id,
    ...unknownEnd,
  };
  return line;
}

/** Returns the parts of other grants that include the stream in other connections. */
function closest(scope: Scope, stream: string, but: ReadonlySet<string | undefined>): Pick<Why, "closest"> {
  const rows = scope.rows.filter((row) => row.stream.name === stream && !but.has(row.grantId));
  if (rows.length === 0) return {};
  return {
    closest: rows
      .slice(0, WHY.closest)
      .map((row) => lineOf(row, "", `${place(row)} (${row.stream.connectionId}): ${someOf([...(row.fields ?? [])])}`)),
  };
}

const lineOf = (row: ScopeRow, member: string, says: string): WhyLine => ({
  ...(row.grantId === undefined ? {} : { grant_id: row.grantId }),
  decided_by: `streams[${row.line ?? 0}]${member}`,
  says,
});

const place = ({ stream }: ScopeRow): string => `${stream.name} of ${plainName(stream.displayName)}`;

const askedOf = ({ stream }: ScopeRow): WhyRequest =>
  printableRequest({ stream: stream.name, connection_id: stream.connectionId });

function limits({ time, filter, fields, resources }: ScopeRow, reader: WhyReader): string {
  const isShown = filter !== undefined && (reader === "owner" || fields?.has(filter.field));
  const parts = [
    ...(time === undefined ? [] : [`${time.field} ${spanWords(time)}`]),
    ...(filter === undefined ? [] : [isShown ? filterWords(listedFilter(filter)) : "chosen records"]),
    ...(resources === undefined ? [] : [recordWords(resources.size)]),
  ];
  return parts.join(", ");
}

const listedFilter = ({ field, values }: NonNullable<ScopeRow["filter"]>): RecordFilter => ({
  field,
  values: [...values],
});

const names = (ids: readonly string[], id: string | undefined): boolean => id === undefined || ids.includes(id);

const packageOf = ({ grant_package_id }: Bearer): Pick<Why, "grant_package_id"> =>
  grant_package_id === undefined ? {} : { grant_package_id };

const holder = (bearer: Bearer): Pick<Why, "grant_id" | "grant_package_id"> => ({
  ...(bearer.grant_id === undefined ? {} : { grant_id: bearer.grant_id }),
  ...packageOf(bearer),
});
