// What the consent page shows of the data itself: live counts, the span of time, a few records as they would be seen.
import type { List, RecordList, StreamSummary } from "../../contract/answers.ts";
import type { ConsentOffer, OfferedStream } from "../../contract/consent.ts";
import type { RecordRead } from "../../contract/record.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { ConsentSample } from "./pages/consent-view.ts";

export interface StreamFacts {
  count: number;
  since?: string;
  until?: string;
  samples?: ConsentSample[];
}

/** More streams than this are shown without sample records: the page would be larger than anyone reads. */
const SAMPLED_STREAMS_MAX = 60;
const SAMPLES = 3;
const PREVIEW_MAX = 160;
/** Field names that people would read a record out by, best first. */
const NAMING = ["title", "subject", "name", "display_name", "full_name", "summary", "label", "description"];

export const factsKey = (stream: Pick<OfferedStream, "connection_id" | "stream">): string =>
  `${stream.connection_id}\n${stream.stream}`;

export async function consentFacts(
  host: EngineHost,
  credential: Credential,
  offer: ConsentOffer,
): Promise<Map<string, StreamFacts>> {
  const ask = async <T>(method: "streams" | "records", query: object): Promise<T> =>
    JSON.parse(await host.call(method, query as never, credential)) as T;
  const counted = await ask<List<StreamSummary>>("streams", {});
  const counts = new Map(
    counted.data.map((row) => [factsKey({ connection_id: row.connection_id, stream: row.name }), row.record_count]),
  );
  const sampled = offer.streams.length <= SAMPLED_STREAMS_MAX;
  const facts = await Promise.all(
    offer.streams.map(async (stream): Promise<[string, StreamFacts]> => {
      const count = counts.get(factsKey(stream)) ?? 0;
      const place = { stream: stream.stream, connection_id: stream.connection_id };
      const [newest, oldest] = await Promise.all([
        count > 0 && (sampled || stream.time_field !== undefined)
          ? ask<RecordList>("records", { ...place, limit: sampled ? SAMPLES : 1 })
          : undefined,
        count > 0 && stream.time_field !== undefined
          ? ask<RecordList>("records", { ...place, limit: 1, order: "asc" })
          : undefined,
      ]);
      const latest = timeIn(newest?.data[0], stream);
      const first = timeIn(oldest?.data[0], stream);
      return [
        factsKey(stream),
        {
          count,
          ...(first === undefined ? {} : { since: first }),
          ...(latest === undefined ? {} : { until: latest }),
          ...(sampled && newest !== undefined
            ? { samples: newest.data.map((record) => sampleOf(record, stream)) }
            : {}),
        },
      ];
    }),
  );
  return new Map(facts);
}

function timeIn(record: RecordList["data"][number] | undefined, { time_field }: OfferedStream): string | undefined {
  if (record === undefined || !("data" in record) || time_field === undefined) return undefined;
  const value = record.data[time_field];
  return typeof value === "string" ? value : undefined;
}

/** Offered fields only: the sample is what the app would see at most. */
function sampleOf(record: RecordList["data"][number], stream: OfferedStream): ConsentSample {
  const { data, id } = record as RecordRead;
  const shown = stream.fields.flatMap(({ name }) => {
    const value = data[name];
    if (value === undefined || value === null || value === "") return [];
    return [{ name, text: typeof value === "string" ? value : JSON.stringify(value) }];
  });
  const when = timeIn(record, stream);
  const words = shown.filter(({ name }) => name !== stream.time_field);
  const naming = NAMING.flatMap((wanted) => words.find(({ name }) => name === wanted) ?? []);
  const title = naming[0] ?? words[0];
  // Sentences say more than ids do.
  const rest = words
    .filter((field) => field !== title && !/(?:^|_)id$/.test(field.name))
    .sort((one, other) => Number(other.text.includes(" ")) - Number(one.text.includes(" ")))
    .map(({ name, text }) => `${name}: ${text}`);
  return {
    title: shorten(title?.text ?? id),
    ...(when === undefined ? {} : { when }),
    ...(rest.length === 0 ? {} : { preview: shorten(rest.join(" · ")) }),
  };
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length <= PREVIEW_MAX ? line : `${line.slice(0, PREVIEW_MAX)}…`;
}
