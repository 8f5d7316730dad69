// Tells whether a change to a grant lets an app see more than before. If so, the owner has to enter the password again
// (V-07).
import type { Grant, GrantedStream } from "../contract/grant.ts";
import { parseInstant } from "./instant.ts";

type Extent = Pick<Grant, "streams" | "files" | "expires_at">;

export function extendsGrants(before: readonly Extent[], after: readonly Extent[]): boolean {
  const had = before.flatMap((grant) => lines(grant));
  return after.some((grant) => lines(grant).some((line) => !had.some((known) => covers(known, line))));
}

interface Line extends GrantedStream {
  connection: string;
  ends: number;
  may: readonly string[];
}

const lines = ({ streams, files, expires_at }: Extent): Line[] =>
  streams.flatMap((stream) =>
    stream.instance_ids.map((connection) => ({
      ...stream,
      connection,
      ends: expires_at === undefined ? Number.POSITIVE_INFINITY : parseInstant(expires_at)!,
      may: files?.may ?? [],
    })),
  );

function covers(had: Line, has: Line): boolean {
  return (
    had.connection === has.connection &&
    had.name === has.name &&
    has.ends <= had.ends &&
    isSubset(has.fields, had.fields) &&
    isSubset(has.may, had.may) &&
    (had.resources === undefined || (has.resources !== undefined && isSubset(has.resources, had.resources))) &&
    coversFilter(had.record_filter, has.record_filter) &&
    coversTime(had.time_constraint, has.time_constraint)
  );
}

const isSubset = (part: readonly string[], whole: readonly string[]): boolean =>
  part.every((one) => whole.includes(one));

const coversFilter = (had: GrantedStream["record_filter"], has: GrantedStream["record_filter"]): boolean =>
  had === undefined || (has !== undefined && has.field === had.field && isSubset(has.values, had.values));

function coversTime(had: GrantedStream["time_constraint"], has: GrantedStream["time_constraint"]): boolean {
  if (had === undefined) return true;
  if (has === undefined || has.field !== had.field) return false;
  const at = (time: string | undefined, open: number): number => (time === undefined ? open : parseInstant(time)!);
  return (
    at(has.since, Number.NEGATIVE_INFINITY) >= at(had.since, Number.NEGATIVE_INFINITY) &&
    at(has.until, Number.POSITIVE_INFINITY) <= at(had.until, Number.POSITIVE_INFINITY)
  );
}
