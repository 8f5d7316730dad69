// A world behind a real HTTP server: the same calls, through the REST surface and the network.
import { createApp } from "../../src/surfaces/http/app.ts";
import { listen } from "../../src/surfaces/http/serve.ts";
import { httpHost } from "../../src/surfaces/rest/http-host.ts";
import type { Connected } from "./compare.ts";
import type { Reality } from "./reader.ts";

export async function overHttp(reality: Reality, token: string): Promise<Connected> {
  let port = 0;
  const app = createApp({
    home: reality.home,
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
    ask: (method, query) => client.call(method as "records", query as never, { token }),
    close: () => listening.close(),
  };
}
