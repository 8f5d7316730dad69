// The engine in this thread, for commands on a local home.
import type { Store } from "../store/store.ts";
import { callNamed } from "./calls/calls.ts";
import { Engine } from "./engine.ts";
import { createHost, type EngineHost, newRequestId, unwrap } from "./host.ts";
import type { ObjectPlace } from "./objects-place.ts";
import { Columns } from "./projection/columns/columns.ts";
import { SearchProjection } from "./projection/search-projection.ts";
import { columnSegments } from "./projection/stored-segments.ts";

export interface LocalHostOptions {
  home: string;
  /** Where blobs are stored. The default is the home. */
  objects?: ObjectPlace;
  /** True if this process may save projections. Only one process per home does. */
  persist: boolean;
  now?: () => number;
  columnsBudgetBytes?: number;
  searchBudgetBytes?: number;
  onFailure?: (error: unknown) => void;
}

/** 256 MB, as in a server's keeper. Without a limit, a million rows with random keys left a 4 GB log. */
export const LOG_PAGES = 32_768;

/** How long after a call its audit entry is synced to disk. */
const SYNC_MS = 1000;

const COLUMNS_BUDGET_BYTES = 256 * 1024 * 1024;
const SEARCH_BUDGET_BYTES = 384 * 1024 * 1024;

export function buildEngine(store: Store, options: LocalHostOptions): Engine {
  const { home, objects, persist, onFailure } = options;
  const columns = new Columns({
    segments: columnSegments(store.segments),
    budgetBytes: options.columnsBudgetBytes ?? COLUMNS_BUDGET_BYTES,
    persist,
  });
  const search = new SearchProjection({
    segments: store.segments,
    persist,
    memoryBytes: options.searchBudgetBytes ?? SEARCH_BUDGET_BYTES,
  });
  return new Engine({ home, objects, store, columns, search, now: options.now ?? Date.now, onFailure });
}

export function localHost(store: Store, options: LocalHostOptions): EngineHost {
  const engine = buildEngine(store, options);
  let syncing: NodeJS.Timeout | undefined;
  /**
   * Syncs the audit log, because a command such as `pdpp mcp` may run for days. On a server, the keeper thread does
   * this.
   */
  const syncLater = (): void => {
    syncing ??= setTimeout(async () => {
      syncing = undefined;
      try {
        await store.audit.sync();
      } catch (error) {
        options.onFailure?.(error);
      }
    }, SYNC_MS).unref();
  };
  return createHost(
    async (name, query, credential, requestId = newRequestId()) => {
      const call = { name, query, credential, requestId };
      const reply = callNamed(name).kind === "write" ? await engine.write(call) : (await engine.read([call]))[0]!;
      syncLater();
      return unwrap(reply);
    },
    {
      changed() {
        // Columns catch up when they are used.
      },
      async close() {
        clearTimeout(syncing);
        await engine.flush();
        await store.close();
      },
    },
  );
}
