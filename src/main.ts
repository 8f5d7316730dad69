// Wiring only: a home, its engine in threads, its HTTP surface.
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
  log: (text: string) => void;
  /** Runs before the first request is taken: fills a demo home. */
  prepare?: (host: EngineHost) => Promise<void>;
}

export interface RunningServer {
  url: string;
  host: EngineHost;
  close(): Promise<void>;
}

export async function startServer({ home, port, publicUrl, log, prepare }: ServerOptions): Promise<RunningServer> {
  prepareHome(home);
  const lock = lockHome(home);
  const host = threadedHost({ home, onFailure: log });
  try {
    await prepare?.(host);
    let bound = port;
    const app = createApp({ home, host, port: () => bound, publicUrl, log });
    const listening = await listen(app, port);
    bound = listening.port;
    return {
      url: `http://127.0.0.1:${bound}`,
      host,
      async close() {
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
