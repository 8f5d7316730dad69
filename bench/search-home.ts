// The home for the search benchmarks, and FTS5 over the same texts. Both are built once per size and kept with --keep.
import type { EngineHost } from "../src/engine/host.ts";
import { localHost } from "../src/engine/local-host.ts";
import { threadedHost } from "../src/engine/threads/threaded-host.ts";
import { openSqliteStore, prepareHome } from "../src/store/sqlite/sqlite-store.ts";
import { type BenchHome, markFilled } from "./home.ts";
import {
  CONNECTIONS,
  DOCUMENT_BATCH,
  DOCUMENT_CONNECTOR,
  DOCUMENT_DECLARATION,
  DOCUMENT_STREAM,
  documentAt,
} from "./search-data.ts";
import { fillFts5 } from "./yardsticks/fts5.ts";

const OWNER = { home: true } as const;

export async function fillSearchHome({ path, records }: BenchHome): Promise<void> {
  prepareHome(path);
  await withLocalHost(path, async (host) => {
    await host.call("putConnector", { connector_key: DOCUMENT_CONNECTOR, declaration: DOCUMENT_DECLARATION }, OWNER);
    const connections: string[] = [];
    for (let count = 0; count < CONNECTIONS; count++) {
      const made = await host.call("createConnection", { connector_id: DOCUMENT_CONNECTOR }, OWNER);
      connections.push(made.connection_id);
    }
    const fts5 = fillFts5(path, connections);
    const batch = Math.min(DOCUMENT_BATCH, records / CONNECTIONS);
    for (let start = 0; start < records; start += batch) {
      const documents = Array.from({ length: batch }, (_, index) => documentAt(start + index, records));
      const connection = (start / batch) % CONNECTIONS;
      for (const document of documents) fts5.insert(document, connection);
      const text = documents.map(({ line }) => line).join("\n");
      const connection_id = connections[connection]!;
      await host.call("ingest", { stream: DOCUMENT_STREAM, connection_id, text }, OWNER);
    }
    fts5.close();
  });
  markFilled(path);
}

export interface SearchTokens {
  owner: string;
  /** Tokens of grants over all connections and over one connection. */
  all: string;
  one: string;
}

export function issueSearchTokens(home: string): Promise<SearchTokens> {
  return withLocalHost(home, async (host) => {
    const { data } = await host.call("connections", {}, OWNER);
    const selections = [{ connection_id: data[Math.floor(CONNECTIONS / 2)]!.connection_id }];
    return {
      owner: (await host.call("issueOwnerToken", {}, OWNER)).access_token,
      all: (await host.call("issueGrant", { all: true }, OWNER)).access_token,
      one: (await host.call("issueGrant", { selections }, OWNER)).access_token,
    };
  });
}

export const openSearchHost = (home: string): EngineHost =>
  threadedHost({
    place: { home },
    onFailure: (text) => {
      throw new Error(text);
    },
  });

async function withLocalHost<T>(home: string, work: (host: EngineHost) => Promise<T>): Promise<T> {
  const host = localHost(openSqliteStore(home), { home, persist: false });
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}
