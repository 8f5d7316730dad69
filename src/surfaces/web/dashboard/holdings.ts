// The stored data: each connection with its streams, number of records, period and freshness.
import { rolesOf, timeFieldOf } from "../../../core/roles.ts";
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
      const held = await Promise.all(
        (byConnection.get(connection_id) ?? []).map(
          async ({ name, record_count, last_updated }): Promise<HeldStream> => {
            const declared = source?.declaration?.streams.find((stream) => stream.name === name);
            const time = declared && timeFieldOf(declared, rolesOf(declared.schema));
            return {
              name,
              label: declared?.display?.label ?? name,
              records: record_count,
              updatedAt: last_updated,
              ...(time === undefined || record_count === 0
                ? {}
                : await spanOf({ look }, { stream: name, connection_id }, time)),
            };
          },
        ),
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

/** Returns the times of the first and the last record, taken from both ends of the stream's own order. */
async function spanOf(
  { look }: Pick<Visit, "look">,
  place: { stream: string; connection_id: string },
  time: string,
): Promise<{ since?: string; until?: string }> {
  const ends = await Promise.all(
    (["asc", "desc"] as const).map((order) => look("records", { ...place, order, limit: 1, fields: [time] })),
  );
  const [since, until] = ends.map(({ data: [end] }) =>
    end !== undefined && "data" in end ? end.data[time] : undefined,
  );
  return typeof since === "string" && typeof until === "string" ? { since, until } : {};
}

export function spanOfAll(parts: readonly { since?: string; until?: string }[]): { since?: string; until?: string } {
  const since = parts.flatMap((part) => part.since ?? []).sort()[0];
  const until = latest(parts.flatMap((part) => part.until ?? []));
  return since === undefined || until === undefined ? {} : { since, until };
}

export const latest = (times: readonly string[]): string | undefined => [...times].sort().at(-1);
