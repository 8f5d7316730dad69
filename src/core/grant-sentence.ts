// One sentence about what a grant lets an app see. It is the same on the consent page, on the receipt, on other pages
// and in the terminal (V-05).
import type { GrantWords } from "../contract/grant.ts";
import { cleanDisplayName } from "./display-name.ts";
import { mayWords } from "./grant-words.ts";
import { filedWords, listed } from "./kind-words.ts";
import { spokenTime } from "./spoken-time.ts";

type Read = GrantWords["reads"][number];

/** Folder paths are long, and their end matters most. */
const NAME_MAX = 200;

/** How many clauses and names the sentence includes; pages list the rest below it. */
const LISTED_MAX = 3;

/**
 * Returns, for example, `Emails from Personal mail since 1 January 2026, without their text; everything from Liffey
 * Bank`, without a full stop. Dates are in the given time zone.
 */
export function accessSentence(given: readonly Read[], zone: string): string {
  // Grants are listed in different orders, but the sentence must always be the same.
  const reads = given.toSorted((one, other) => one.connection.localeCompare(other.connection, "en"));
  const clauses = [...filesClauses(reads.filter((read) => read.may)), ...recordClauses(reads, zone)];
  const more = clauses.length - LISTED_MAX;
  const shown = more > 0 ? [...clauses.slice(0, LISTED_MAX), `and ${more} more`] : clauses;
  const sentence = shown.join("; ");
  return sentence === "" ? "Nothing" : sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function filesClauses(reads: readonly Read[]): string[] {
  const byPowers = Map.groupBy(reads, ({ may = [] }) => may.join(" "));
  return [...byPowers.values()].map((same) => mayWords(same[0]!.may!, namesOf(same, "folder")));
}

/** Streams of one connection with the same limits share a clause, and so do connections with the same wording. */
function recordClauses(reads: readonly Read[], zone: string): string[] {
  const clauses: { what: string; limits: string; reads: Read[] }[] = [];
  const records = reads.filter((read) => read.may === undefined);
  for (const own of Map.groupBy(records, (read) => read.connection_id).values()) {
    const alike = own.every((read) => read.whole)
      ? [{ what: "everything", limits: "", reads: own }]
      : [...Map.groupBy(own, (read) => limitsOf(read, zone))].map(([limits, same]) => ({
          what: listed(some(same.map(whatOf), "kind")),
          limits,
          reads: same,
        }));
    for (const { what, limits, reads: shown } of alike) {
      const known = clauses.find((clause) => clause.what === what && clause.limits === limits);
      if (known === undefined) clauses.push({ what, limits, reads: [...shown] });
      else known.reads.push(...shown);
    }
  }
  return clauses.map(({ what, limits, reads: shown }) => `${what} from ${namesOf(shown, "connection")}${limits}`);
}

function whatOf({ what, stream, filed, filter, chosen }: Read): string {
  const place = filed === undefined ? unfiledPlace(filter) : ` ${filedWords(filed.role, filed.values, filed.more)}`;
  const name = `${lowerFirst(what ?? stream)}${place}`;
  if (chosen === undefined) return name;
  return chosen === 1 ? `one of the ${name}` : `${chosen} chosen ${name}`;
}

/**
 * If the declaration no longer says where the stream's records are filed, the limit remains and the grant shows no
 * records.
 */
const unfiledPlace = (filter: string | undefined): string => (filter === undefined ? "" : ` where ${filter}`);

/** One line of a grant, such as `Emails since 1 January 2026, without their text`. */
export function readSentence(read: Read, zone: string): string {
  const words = whatOf(read) + limitsOf(read, zone);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const limitsOf = (read: Read, zone: string): string => {
  const time = timeWords(read, zone);
  return `${time === "" ? "" : ` ${time}`}${read.parts === undefined ? "" : `, ${read.parts}`}`;
};

function timeWords({ since, until }: Read, zone: string): string {
  const [from, to] = [since && spokenTime(since, zone), until && spokenTime(until, zone, { end: true })];
  if (from === undefined) return to === undefined ? "" : `until ${to}`;
  return to === undefined ? `since ${from}` : `from ${from} to ${to}`;
}

const namesOf = (reads: readonly Read[], many: string): string =>
  listed(
    some(
      [...new Map(reads.map((read) => [read.connection_id, cleanDisplayName(read.connection, NAME_MAX)])).values()],
      many,
    ),
  );

function some(names: readonly string[], noun: string): string[] {
  const more = names.length - LISTED_MAX;
  return more > 1 ? [...names.slice(0, LISTED_MAX), `${more} more ${noun}s`] : [...names];
}

/** `Emails` becomes `emails` within a sentence; `GPS points` stays as it is. */
export const lowerFirst = (text: string): string =>
  /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** Says when a grant ends, in words that can follow `It may read` or start a line. */
export function endSentence(
  { access_mode, expires_at }: { access_mode: "single_use" | "continuous"; expires_at?: string },
  zone: string,
): string {
  const end = expires_at === undefined ? "until you revoke it" : `until ${spokenTime(expires_at, zone)}`;
  return access_mode === "single_use" ? `for one sign-in, ${end}` : end;
}
