// An app's website for tests: a real https server on loopback that answers for app.example.test and other.example.test.
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

const read = (name: string): string => readFileSync(new URL(`./certificates/${name}`, import.meta.url), "utf8");

export interface ClientSite {
  /**
   * Options for guardedFetch: host names resolve to a public address, connections reach this server, and its
   * certificate is trusted.
   */
  reach: {
    resolve: () => Promise<{ address: string; family: number }[]>;
    connectTo: { address: string; port: number };
    ca: string;
    /** A long timeout, so that a busy machine does not look like a slow site. */
    milliseconds: number;
  };
  requests: IncomingMessage[];
  close(): Promise<void>;
}

export async function startClientSite(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<ClientSite> {
  const requests: IncomingMessage[] = [];
  const certificate = read("example-test.pem");
  const server = createServer({ key: read("example-test.key.pem"), cert: certificate }, (request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    reach: {
      resolve: async () => [{ address: "93.184.215.14", family: 4 }],
      connectTo: { address: "127.0.0.1", port: (server.address() as AddressInfo).port },
      ca: certificate,
      milliseconds: 20_000,
    },
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
