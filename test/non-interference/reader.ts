// Creates a world: a home with its history, a grant, and calls whose results are compared as text.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PdppError } from "../../src/contract/errors.ts";
import type { Credential } from "../../src/engine/caller.ts";
import type { EngineHost } from "../../src/engine/host.ts";
import { localHost } from "../../src/engine/local-host.ts";
import { openStore, preparePlace } from "../../src/store/place.ts";
import { databaseOf } from "../harness.ts";
import type { Call } from "./calls.ts";
import { declaration, type Step, type WorldGrant } from "./world.ts";

const OWNER: Credential = { home: true };

export interface Reality {
  home: string;
  host: EngineHost;
  connections: string[];
  setClock(tick: number): void;
  close(): Promise<void>;
}

/** Creates a separate home. Its clock follows the current step, so that two worlds have the same times. */
export async function makeReality(connections: number): Promise<Reality> {
  const home = mkdtempSync(join(tmpdir(), "pdpp-world-"));
  const place = { home, database: await databaseOf(home) };
  preparePlace(place);
  let clock = 0;
  const host = localHost(await openStore(place), { home, persist: true, now: () => clock });
  await host.call("putConnector", { connector_key: "world", declaration }, OWNER);
  // Ids are random and break ties between equal names. Sorting them makes the connections of two worlds correspond.
  const ids: string[] = [];
  for (let index = 0; index < connections; index++) {
    const made = await host.call("createConnection", { connector_id: "world" }, OWNER);
    ids.push(made.connection_id);
  }
  ids.sort();
  return {
    home,
    host,
    connections: ids,
    setClock(tick) {
      clock = tick;
    },
    async close() {
      await host.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Writes the steps in order, each at its time. */
export async function live(reality: Reality, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    reality.setClock(step.tick);
    const line = {
      key: step.id,
      emitted_at: new Date(step.emittedAt).toISOString(),
      provenance: step.provenance,
      ...(step.data === null ? { op: "delete" } : { data: step.data }),
    };
    const report = await reality.host.call(
      "ingest",
      { stream: step.stream, connection_id: reality.connections[step.connection]!, text: JSON.stringify(line) },
      OWNER,
    );
    const { rejected, rejections } = report;
    if (rejected > 0) throw new Error(`the world is malformed: ${JSON.stringify(rejections)}`);
  }
}

export async function grantToken(reality: Reality, grant: WorldGrant): Promise<string> {
  const selections = grant.selections.map(({ connection, ...rest }) => ({
    connection_id: reality.connections[connection]!,
    ...rest,
  }));
  const issued = await reality.host.call("issueGrant", { selections }, OWNER);
  return issued.access_token;
}

/** Calls a world, in process or over HTTP. */
export type Ask = (method: string, query: Record<string, unknown>) => Promise<string>;

export const inProcess =
  (reality: Reality, token: string): Ask =>
  (method, query) =>
    reality.host.callText(method as "records", query as never, { token });

/**
 * Returns the complete result of a call as comparable text: every page, with connection and grant ids normalised and
 * tokens removed.
 */
export async function answerTo(ask: Ask, reality: Reality, call: Call, since?: string): Promise<string> {
  const query = Object.fromEntries(
    Object.entries(call.query).map(([name, value]) => [
      name,
      typeof value === "string" && /^\$[01]$/.test(value) ? reality.connections[Number(value[1])] : value,
    ]),
  );
  const pages: unknown[] = [];
  const method = call.kind === "changes" ? "records" : call.kind;
  const start =
    call.kind === "changes" ? { ...query, changes_since: since ?? query.changes_since ?? "beginning" } : query;
  let cursor: string | undefined;
  try {
    for (let page = 0; page < 200; page++) {
      const body = JSON.parse(await ask(method, cursor === undefined ? start : { ...start, cursor })) as Record<
        string,
        unknown
      >;
      pages.push(call.kind === "schema" ? byConnection(body) : body);
      cursor = body.object === "list" && typeof body.next_cursor === "string" ? body.next_cursor : undefined;
      if (cursor === undefined) break;
    }
  } catch (error) {
    if (!(error instanceof PdppError)) throw error;
    pages.push({ code: error.code, message: error.message, ...error.details });
  }
  return normalise(JSON.stringify(pages), reality);
}

interface SchemaRow {
  name?: string;
  granted_connections?: unknown[];
  record_count?: number;
  time_span?: { field: string; first: string; last: string };
}

interface SchemaBody {
  connectors?: { stream_count?: number; streams?: SchemaRow[] }[];
}

/**
 * Splits each stream into one row per connection, because the grant's limits can separate connections that share a row
 * in the other world, whose grant has no limits. A row has the sums of its connections, so sums are compared over all
 * rows of a stream.
 */
function byConnection(body: SchemaBody): unknown {
  const connectors = body.connectors?.map(({ stream_count: _count, streams = [], ...connector }) => ({
    ...connector,
    extents: extentsOf(streams),
    streams: streams.flatMap(({ record_count: _records, time_span: _span, ...row }) =>
      (row.granted_connections ?? [undefined]).map((one) =>
        one === undefined ? row : { ...row, granted_connections: [one] },
      ),
    ),
  }));
  return { ...body, stream_count: undefined, connectors };
}

function extentsOf(rows: readonly SchemaRow[]): unknown {
  const extents = [...Map.groupBy(rows, ({ name }) => name)].map(([name, same]) => {
    const spans = same.flatMap(({ time_span }) => time_span ?? []);
    return {
      name,
      records: same.reduce((sum, { record_count = 0 }) => sum + record_count, 0),
      fields: [...new Set(spans.map(({ field }) => field))],
      first: Math.min(...spans.map(({ first }) => Date.parse(first))),
      last: Math.max(...spans.map(({ last }) => Date.parse(last))),
    };
  });
  return extents.sort((one, other) => (String(one.name) < String(other.name) ? -1 : 1));
}

export function normalise(text: string, reality: Reality): string {
  let plain = text;
  for (const [index, id] of reality.connections.entries()) plain = plain.replaceAll(id, `$${index}`);
  return (
    plain
      .replace(/"(next_cursor|next_changes_since)":"[^"]*"/g, '"$1":"…"')
      .replace(/pdpp:\/\/export\/[\w-]+/g, "pdpp://export/…")
      .replace(/(next_cursor|next_changes_since): [\w-]+/g, "$1: …")
      .replace(/cursor=[\w-]+/g, "cursor=…")
      .replace(/changes_since=[\w-]+/g, "changes_since=…")
      .replace(/\b(grt|gpkg|cli|sub_own)_[\w-]+/g, "$1_…")
      .replace(/"time_constraint":\{[^}]*\},?/g, "")
      // The error for a missing record contains the grant's limits, which the grant in the other world does not have
      // (X-08).
      .replace(
        /,"why":\{"grant_id":"[^"]*","decided_by":"streams\[\d+\](?:\.time_constraint|\.record_filter|\.resources)?"[^}]*\{[^}]*\}\}/g,
        "",
      )
      .replace(/"request_id":"[^"]*"/g, '"request_id":"…"')
  );
}

/** Returns the token that a caller uses to request later changes after it has read everything so far. */
export async function changesToken(
  ask: Ask,
  reality: Reality,
  query: Record<string, unknown>,
): Promise<string | undefined> {
  let cursor: string | undefined;
  const connection_id =
    typeof query.connection_id === "string" && /^\$[01]$/.test(query.connection_id)
      ? reality.connections[Number(query.connection_id[1])]
      : query.connection_id;
  const start = {
    ...query,
    ...(connection_id === undefined ? {} : { connection_id }),
    limit: 100,
    changes_since: "beginning",
  };
  try {
    for (;;) {
      const body = JSON.parse(await ask("records", cursor === undefined ? start : { ...start, cursor })) as {
        next_cursor?: string;
        next_changes_since?: string;
      };
      if (body.next_changes_since !== undefined) return body.next_changes_since;
      cursor = body.next_cursor;
    }
  } catch (error) {
    if (error instanceof PdppError) return undefined;
    throw error;
  }
}
