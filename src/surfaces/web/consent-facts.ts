// Facts about the data on the consent page: live counts, the period, and a few records as the app would see them.
import type { RecordList } from "../../contract/answers.ts";
import type { ConsentOffer, FilterValuesRead, OfferedStream } from "../../contract/consent.ts";
import { KINDS } from "../../contract/kinds.ts";
import { RECORD_FILTER } from "../../contract/limits.ts";
import type { RecordsQuery } from "../../contract/read.ts";
import type { RecordRead } from "../../contract/record.ts";
import { guessedWords } from "../../core/guesses.ts";
import { fieldWith } from "../../core/roles.ts";
import { ownTitle, wordsOf } from "../../core/title.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { ConsentSample } from "./pages/consent-view.ts";

export interface StreamFacts {
  count: number;
  since?: string;
  until?: string;
  samples?: ConsentSample[];
  filing?: FilterValuesRead;
}

/** Samples per stream. If there are many streams, only one each, so that the page stays readable. */
const SAMPLES = { few: 3, many: 1 };
const FEW_STREAMS = 60;
const PREVIEW_MAX = 160;

export const factsKey = (stream: Pick<OfferedStream, "connection_id" | "stream">): string =>
  `${stream.connection_id}\n${stream.stream}`;

export async function consentFacts(
  host: EngineHost,
  credential: Credential,
  offer: ConsentOffer,
): Promise<Map<string, StreamFacts>> {
  const counted = await host.call("streams", {}, credential);
  const counts = new Map(
    counted.data.map((row) => [factsKey({ connection_id: row.connection_id, stream: row.name }), row.record_count]),
  );
  const isFew = offer.streams.length <= FEW_STREAMS;
  const limit = isFew ? SAMPLES.few : SAMPLES.many;
  const listed = isFew ? VALUES_LISTED : VALUES_OF_MANY;
  const facts = await Promise.all(
    offer.streams.map(async (stream): Promise<[string, StreamFacts]> => {
      const total = counts.get(factsKey(stream)) ?? 0;
      // The app listed these records by id, and only the app knows which ones they are.
      if (stream.resources !== undefined) return [factsKey(stream), { count: Math.min(total, stream.resources) }];
      if (total === 0) return [factsKey(stream), { count: 0 }];
      const [own, filing] = await Promise.all([factsOf(stream, total), filingOf(host, credential, stream, listed)]);
      return [factsKey(stream), { ...own, ...filing }];
    }),
  );
  return new Map(facts);

  /** Reads only the requested records: the newest and the oldest by the time field that limits the grant. */
  async function factsOf(stream: OfferedStream, total: number): Promise<StreamFacts> {
    const { time_field } = stream;
    const place = { stream: stream.stream, connection_id: stream.connection_id, ...askedFilter(stream) };
    if (time_field === undefined) {
      const count = stream.record_filter === undefined ? {} : { count: "exact" as const };
      const { data, meta } = await host.call("consentRecords", { ...place, limit, ...count }, credential);
      return { count: meta.count?.value ?? total, samples: data.map((record) => sampleOf(record, stream)) };
    }
    const [newest, oldest] = await Promise.all([
      host.call("consentRecords", { ...place, limit, sort: `-${time_field}`, count: "exact" }, credential),
      host.call("consentRecords", { ...place, limit: 1, sort: time_field }, credential),
    ]);
    const [since, until] = [timeIn(oldest.data[0], stream), timeIn(newest.data[0], stream)];
    return {
      count: newest.meta.count?.value ?? total,
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
      samples: newest.data.map((record) => sampleOf(record, stream)),
    };
  }
}

/**
 * The number of chats, folders or categories that a page lists, most common first: as many as a filter accepts. Others
 * can be typed.
 */
export const VALUES_LISTED = RECORD_FILTER.values;
/** The same limit for a page with many streams, which would otherwise be too large. */
const VALUES_OF_MANY = 20;

async function filingOf(
  host: EngineHost,
  credential: Credential,
  { connection_id, stream, filters }: OfferedStream,
  limit: number,
): Promise<{ filing?: FilterValuesRead }> {
  if (filters.length === 0) return {};
  const asked = { connection_id, stream, limit };
  return { filing: await host.call("filterValues", asked, credential) };
}

/**
 * Returns the period and the values that the app requests. A source may declare a time without range filters; then the
 * whole period is shown.
 */
function askedFilter(stream: OfferedStream): Pick<RecordsQuery, "filter"> {
  const { record_filter: only } = stream;
  const filter = { ...spanFilter(stream), ...(only === undefined ? {} : { [only.field]: { in: only.values } }) };
  return Object.keys(filter).length === 0 ? {} : { filter };
}

function spanFilter({ time_field, time_ranges, since, until }: OfferedStream): NonNullable<RecordsQuery["filter"]> {
  const bounds = {
    ...(since === undefined ? {} : { gte: since }),
    ...(until === undefined ? {} : { lt: until }),
  };
  const asked = Object.keys(bounds);
  if (time_field === undefined || asked.length === 0) return {};
  return asked.every((operator) => time_ranges?.includes(operator)) ? { [time_field]: bounds } : {};
}

function timeIn(record: RecordList["data"][number] | undefined, { time_field }: OfferedStream): string | undefined {
  if (record === undefined || !("data" in record) || time_field === undefined) return undefined;
  const value = record.data[time_field];
  return typeof value === "string" ? value : undefined;
}

/** Uses offered fields only, so that the sample shows no more than the app would see. */
function sampleOf(record: RecordList["data"][number], stream: OfferedStream): ConsentSample {
  const { data, id } = record as RecordRead;
  const shown = stream.fields.flatMap(({ name }): [string, string][] => {
    const words = name === stream.time_field ? undefined : wordsOf(data[name]);
    return words === undefined ? [] : [[name, words]];
  });
  const values = Object.fromEntries(shown);
  const when = timeIn(record, stream);
  const { title, rest } = stream.kind === undefined ? guessedSample(values) : kindSample(data, values, stream);
  return {
    title: shorten(title ?? id),
    ...(when === undefined ? {} : { when }),
    ...(rest.length === 0 ? {} : { preview: shorten(rest.join(" · ")) }),
  };
}

function guessedSample(values: Readonly<Record<string, string>>): { title?: string; rest: string[] } {
  const { title, rest } = guessedWords(values);
  return {
    ...(title === undefined ? {} : { title: values[title]! }),
    rest: rest.map((name) => `${name}: ${values[name]!}`),
  };
}

/** Returns the title, then the rest of the kind's fields: first the text, then the facts. */
function kindSample(
  data: RecordRead["data"],
  values: Readonly<Record<string, string>>,
  { kind, roles = {}, fields }: OfferedStream,
): { title?: string; rest: string[] } {
  const known = { kind: kind!, fields: roles };
  const offered = Object.fromEntries(fields.map(({ name }) => [name, data[name] ?? null]));
  const title = ownTitle(offered, known);
  const facts = ["text", ...KINDS[kind!].facts].flatMap((role) => {
    const words = values[fieldWith(known, role) ?? ""];
    return words === undefined || title?.includes(words) ? [] : [words];
  });
  return { ...(title === undefined ? {} : { title }), rest: [...new Set(facts)] };
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length <= PREVIEW_MAX ? line : `${line.slice(0, PREVIEW_MAX)}…`;
}
