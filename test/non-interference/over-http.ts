// A world behind a real HTTP server: the same calls over REST and the network.

import { COMPONENTS } from "../../src/contract/components.ts";
import { type CallName, callNamed } from "../../src/engine/calls/calls.ts";
import { createApp } from "../../src/serving/app.ts";
import { listen } from "../../src/surfaces/http/serve.ts";
import { httpHost } from "../../src/surfaces/rest/http-host.ts";
import type { Connected } from "./compare.ts";
import type { Reality } from "./reader.ts";

export async function overHttp(reality: Reality, token: string): Promise<Connected> {
  let port = 0;
  const app = createApp({
    place: { home: reality.home },
    host: reality.host,
    port: () => port,
    log: (text) => {
      throw new Error(text);
    },
  });
  const listening = await listen(app, 0);
  port = listening.port;
  const client = httpHost(`http://127.0.0.1:${port}`);
  return {
    async ask(method, query) {
      const text = await client.callText(method as "records", query as never, { token });
      COMPONENTS[callNamed(method as CallName).answer!].parse(JSON.parse(text));
      return text;
    },
    close: () => listening.close(),
  };
}
