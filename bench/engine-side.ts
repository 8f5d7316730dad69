// The engine in its threads, on a benchmark home, called with a token for a grant on everything.

import type { CallName, QueryOf } from "../src/engine/calls/calls.ts";
import type { EngineHost } from "../src/engine/host.ts";
import { threadedHost } from "../src/engine/threads/threaded-host.ts";
import { STREAM } from "./data.ts";
import { issueToken } from "./server.ts";

export interface EngineSide {
  host: EngineHost;
  call<M extends CallName>(method: M, query: Omit<QueryOf<M>, "stream">): Promise<string>;
  close(): Promise<void>;
}

export async function openEngine(home: string): Promise<EngineSide> {
  const credential = { token: await issueToken(home, "grant") };
  const host = threadedHost({
    place: { home },
    onFailure: (text) => {
      throw new Error(text);
    },
  });
  return {
    host,
    call: (method, query) => host.callText(method, { stream: STREAM, ...query } as never, credential),
    close: () => host.close(),
  };
}
