// App requests in words (V-06): audit log entries grouped by request, with names that people know.
import type { Activity } from "../../../../contract/activity.ts";
import { isDenial, PdppError } from "../../../../contract/errors.ts";
import { type FieldTitle, type RequestPlace, refusedWords, requestWords } from "../../../../core/request-words.ts";
import type { Visit } from "../../owner-page.ts";
import { actionWords } from "../action-words.ts";
import type { RecordPlace } from "../explore/addresses.ts";
import { fieldsOf, inWords } from "../explore/stream-fields.ts";

export interface SeenRequest {
  requestId: string;
  at: string;
  clientId?: string;
  /** Such as `Searched for “lisbon” in emails`. */
  words: string;
  outcome: "answered" | "refused" | "failed";
  /** True if the request only read the schema. */
  looksUp: boolean;
  records: number;
  /** The first records that the app received, from the log. */
  got: readonly RecordPlace[];
}

type Looks = Pick<Visit, "look" | "zone">;

interface KnownStream {
  what: string;
  titleOf: FieldTitle;
}

/** Returns requests in the order of the entries. A request that read several streams has an entry for each. */
export async function seenRequests({ look, zone }: Looks, lines: readonly Activity[]): Promise<SeenRequest[]> {
  const places = new Map(lines.flatMap(placeOf).map((place) => [keyOf(place), place]));
  const [connections, streams] = await Promise.all([look("connections", {}), knownStreams({ look }, places)]);
  const names = new Map(connections.data.map(({ connection_id, display_name }) => [connection_id, display_name]));
  const requests = Map.groupBy(lines, ({ request_id, action, client_id }) =>
    JSON.stringify([request_id, action, client_id]),
  );
  return [...requests.values()].map((own) => requestOf(own, zone, names, streams));
}

type StreamOfLine = { connection_id: string; stream: string };

const keyOf = ({ connection_id, stream }: StreamOfLine): string => `${connection_id}\n${stream}`;

function placeOf({ connection_id, stream, asked }: Activity): StreamOfLine[] {
  const [connection, name] = [connection_id ?? asked?.connection_id, stream ?? asked?.stream];
  return connection === undefined || name === undefined ? [] : [{ connection_id: connection, stream: name }];
}

/** Omits streams that were deleted, or that an app made up. */
async function knownStreams(
  { look }: Pick<Visit, "look">,
  places: ReadonlyMap<string, StreamOfLine>,
): Promise<Map<string, KnownStream>> {
  const found = await Promise.all(
    [...places].map(async ([key, place]): Promise<[string, KnownStream][]> => {
      try {
        const metadata = await look("stream", place);
        const titles = new Map(fieldsOf(metadata).map(({ name, label }) => [name, label]));
        const what = metadata.label ?? inWords(place.stream);
        return [[key, { what, titleOf: (field) => titles.get(field) }]];
      } catch (error) {
        if (error instanceof PdppError && error.status < 500) return [];
        throw error;
      }
    }),
  );
  return new Map(found.flat());
}

function requestOf(
  lines: readonly Activity[],
  zone: string,
  names: ReadonlyMap<string, string>,
  streams: ReadonlyMap<string, KnownStream>,
): SeenRequest {
  const { request_id, at, client_id, action, outcome, query, asked } = lines[0]!;
  const known = lines.flatMap((line) => placeOf(line).flatMap((place) => streams.get(keyOf(place)) ?? []));
  const titleOf: FieldTitle = (field) => known.map((stream) => stream.titleOf(field)).find(Boolean);
  const records = lines.reduce((sum, line) => sum + line.records, 0);
  const result = outcome === "ok" ? "answered" : isDenial(outcome) ? "refused" : "failed";
  const places = lines.flatMap((line) => placeIn(line, names, streams));
  return {
    requestId: request_id,
    at,
    ...(client_id === undefined ? {} : { clientId: client_id }),
    words:
      (result === "answered"
        ? requestWords({ action, query, places, records }, zone, titleOf)
        : refusedWords({ places, field: asked?.field }, titleOf)) || actionWords(action),
    outcome: result,
    looksUp: result === "answered" && records === 0 && LOOK_UPS.includes(action),
    records,
    got: lines.flatMap(({ connection_id = "", stream = "", ids = [] }) =>
      ids.map((id) => ({ connection_id, stream, id })),
    ),
  };
}

const LOOK_UPS = ["schema", "streams", "stream", "admit"];

/** If the entry has no stream, as for a denied call, uses the stream that the app requested. */
function placeIn(
  line: Activity,
  names: ReadonlyMap<string, string>,
  streams: ReadonlyMap<string, KnownStream>,
): RequestPlace[] {
  const stream = line.stream ?? line.asked?.stream;
  const connectionId = line.connection_id ?? line.asked?.connection_id;
  if (stream === undefined) return [];
  const [place] = placeOf(line);
  const known = place && streams.get(keyOf(place));
  const connection = connectionId === undefined ? undefined : names.get(connectionId);
  return [
    {
      what: known?.what ?? (line.stream === undefined ? stream : inWords(stream)),
      ...(known === undefined && line.stream === undefined ? { unknown: true } : {}),
      ...(connection === undefined ? {} : { connection }),
    },
  ];
}
