// The stored data: each connection with its streams, number of records, period and freshness.
import type { StreamIndexRow } from "../../../contract/schema-document.ts";
import type { Visit } from "../owner-page.ts";

export interface HeldStream {
  name: string;
  label: string;
  records: number;
  /** The time at which a record was last added or changed. */
  updatedAt: string | null;
  /** The period of the stream's records. Absent if they have no time. */
  since?: string;
  until?: string;
}

export interface Holding {
  connectionId: string;
  connectorKey: string;
  /** The source's name for people. */
  source: string;
  name: string;
  createdAt: string;
  records: number;
  updatedAt: string | null;
  since?: string;
  until?: string;
  streams: HeldStream[];
}

/** With `connectionId`, returns only that connection. */
export async function holdings({ look }: Pick<Visit, "look">, connectionId?: string): Promise<Holding[]> {
  const query = connectionId === undefined ? {} : { connection_id: connectionId };
  const [connections, connectors, streams] = await Promise.all([
    look("connections", {}),
    look("connectors", {}),
    look("streams", query),
  ]);
  const sources = new Map(connectors.data.map((one) => [one.connector_key, one]));
  const byConnection = Map.groupBy(streams.data, ({ connection_id }) => connection_id);
  const wanted = connections.data.filter(({ connection_id }) => [undefined, connection_id].includes(connectionId));
  return Promise.all(
    wanted.map(async ({ connection_id, connector_key, display_name, created_at }) => {
      const source = sources.get(connector_key);
      const spans = await spansOf({ look }, connection_id);
      const held = (byConnection.get(connection_id) ?? []).map(
        ({ name, record_count, last_updated }): HeldStream => ({
          name,
          label: source?.declaration?.streams.find((stream) => stream.name === name)?.display?.label ?? name,
          records: record_count,
          updatedAt: last_updated,
          ...spans.get(name),
        }),
      );
      return {
        connectionId: connection_id,
        connectorKey: connector_key,
        source: source?.display_name ?? connector_key,
        name: display_name,
        createdAt: created_at,
        records: held.reduce((sum, { records }) => sum + records, 0),
        updatedAt: latest(held.flatMap(({ updatedAt }) => updatedAt ?? [])) ?? null,
        ...spanOfAll(held),
        streams: held,
      };
    }),
  );
}

type Span = { since?: string; until?: string };

/** Returns the times of the first and the last record of each stream. */
async function spansOf({ look }: Pick<Visit, "look">, connection_id: string): Promise<Map<string, Span>> {
  const { connectors } = await look("schema", { connection_id });
  return new Map(
    connectors
      .flatMap(({ streams }) => streams as StreamIndexRow[])
      .map(({ name, time_span: span }) => [name, span === undefined ? {} : { since: span.first, until: span.last }]),
  );
}

export function spanOfAll(parts: readonly Span[]): Span {
  const since = parts.flatMap((part) => part.since ?? []).sort()[0];
  const until = latest(parts.flatMap((part) => part.until ?? []));
  return since === undefined || until === undefined ? {} : { since, until };
}

export const latest = (times: readonly string[]): string | undefined => [...times].sort().at(-1);
