// A world behind a real HTTP server: the same calls, through the REST surface and the network.
import { createApp } from "../../src/surfaces/http/app.ts";
import { listen } from "../../src/surfaces/http/serve.ts";
import { ANSWERS } from "../../src/surfaces/rest/answer-schemas.ts";
import { COMPONENTS, type ComponentName } from "../../src/surfaces/rest/components.ts";
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
      const text = await client.call(method as "records", query as never, { token });
      COMPONENTS[ANSWERS[method as "records"] as ComponentName].parse(JSON.parse(text));
      return text;
    },
    close: () => listening.close(),
  };
}
