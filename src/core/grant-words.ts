// A grant in plain words: for lists, pages, receipts, and for the reason of a refusal.
import type { FilePower } from "../contract/file-access.ts";
import type { Grant, GrantedStream, GrantWords } from "../contract/grant.ts";
import { NAME_MAX, WHY } from "../contract/limits.ts";
import { cleanDisplayName } from "./display-name.ts";
import { formatInstant } from "./instant.ts";
import { plainLine } from "./steering.ts";

/** What the owner's home calls things now. What is not there any more has no name. */
export interface GrantLabels {
  connection(connectionId: string): string | undefined;
  /** The fields a stream has. */
  fields(connectionId: string, stream: string): readonly string[] | undefined;
}

const PURPOSE_MAX = 500;

/** Whether an approval proved who the app is (G-06): the same words on pages and in the terminal. */
export const identityMark = (verifiedHost: string | undefined): "Verified host" | "Unverified" =>
  verifiedHost === undefined ? "Unverified" : "Verified host";

export function grantWords(grant: Grant, labels: GrantLabels): GrantWords {
  return {
    app: appName(grant),
    reads: grant.streams.flatMap((stream) =>
      stream.instance_ids.map((connectionId) => ({
        ...readWords(stream, connectionId, labels),
        ...(grant.files === undefined ? {} : { may: grant.files.may }),
      })),
    ),
    until: untilWords(grant),
    purpose: plainLine(grant.purpose_description ?? grant.purpose_code, PURPOSE_MAX),
  };
}

/** As the app calls itself, cleaned; its id when nothing is left of that. */
export function appName({ client: { client_id, client_display } }: Grant): string {
  return cleanDisplayName(client_display?.name ?? "") || plainLine(client_id, NAME_MAX);
}

function readWords(stream: GrantedStream, connectionId: string, labels: GrantLabels): GrantWords["reads"][number] {
  const { time_constraint: time, resources } = stream;
  return {
    connection_id: connectionId,
    connection: labels.connection(connectionId) ?? `${connectionId} (deleted)`,
    stream: stream.name,
    fields: fieldWords(stream.fields, labels.fields(connectionId, stream.name)),
    ...(time === undefined ? {} : { time: `${time.field} ${spanWords(time)}` }),
    ...(resources === undefined ? {} : { records: recordWords(resources.length) }),
  };
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
  curate: () => "gather selections",
  download: () => "download files",
};

/** What a grant of the files lens may do: `look through /home/nora/Photos, start scans`. */
export const mayWords = (may: readonly FilePower[], place: string): string =>
  may.map((power) => POWER_WORDS[power](place)).join(", ");

/** `from A until B`, `from A on`, `until B`. */
export function spanWords({ since, until }: { since?: string | number; until?: string | number }): string {
  if (since === undefined) return until === undefined ? "at any time" : `until ${timeWord(until)}`;
  return until === undefined ? `from ${timeWord(since)} on` : `from ${timeWord(since)} until ${timeWord(until)}`;
}

const timeWord = (time: string | number): string => (typeof time === "number" ? formatInstant(time) : time);

export const recordWords = (records: number): string => (records === 1 ? "only 1 record" : `only ${records} records`);

function untilWords({ access_mode, expires_at }: Grant): string {
  const end = expires_at === undefined ? "until revoked" : `until ${expires_at}`;
  return access_mode === "single_use" ? `once, ${end}` : end;
}

/** A few names and how many more. */
export function someOf(names: readonly string[]): string {
  const more = names.length - WHY.names;
  return more > 0 ? `${names.slice(0, WHY.names).join(", ")} and ${more} more` : names.join(", ");
}
