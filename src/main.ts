// Wiring only: a home, its engine in threads, its HTTP surface.

import type { GuardedFetch } from "./auth/guarded-fetch.ts";
import { importingHost } from "./collect/importing-host.ts";
import { exportingHost } from "./engine/export/exporting-host.ts";
import { removeAddress, writeAddress } from "./engine/home-address.ts";
import { lockHome } from "./engine/home-lock.ts";
import type { EngineHost } from "./engine/host.ts";
import { threadedHost } from "./engine/threads/threaded-host.ts";
import { prepareHome } from "./store/sqlite/sqlite-store.ts";
import { createApp } from "./surfaces/http/app.ts";
import { listen } from "./surfaces/http/serve.ts";

export interface ServerOptions {
  home: string;
  /** 0 picks a free one. */
  port: number;
  publicUrl?: string;
  /** How client metadata documents are fetched; tests bring a resolver of their own. */
  clientFetch?: GuardedFetch;
  log: (text: string) => void;
  /** Runs before the first request is taken: fills a demo home. */
  prepare?: (host: EngineHost) => Promise<void>;
}

export interface RunningServer {
  url: string;
  /** What it is called by others: its public name, if it has one. */
  origin: string;
  host: EngineHost;
  close(): Promise<void>;
}

export async function startServer({
  home,
  port,
  publicUrl,
  clientFetch,
  log,
  prepare,
}: ServerOptions): Promise<RunningServer> {
  prepareHome(home);
  const lock = lockHome(home);
  const exporting = exportingHost({ home, host: threadedHost({ home, onFailure: log }), log });
  const host = importingHost({ home, host: exporting, log });
  try {
    await prepare?.(host);
    let bound = port;
    const app = createApp({ home, host, port: () => bound, publicUrl, clientFetch, log });
    const listening = await listen(app, port);
    bound = listening.port;
    const url = `http://127.0.0.1:${bound}`;
    const origin = publicUrl === undefined ? url : new URL(publicUrl).origin;
    writeAddress(home, origin);
    return {
      url,
      origin,
      host,
      async close() {
        removeAddress(home);
        await listening.close();
        await host.close();
        lock.release();
      },
    };
  } catch (error) {
    await host.close();
    lock.release();
    throw error;
  }
}
