// A loopback proxy that adds a bearer token, because the suite cannot send one.
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface BearerProxy {
  url: string;
  /** Sets the target and the token for it. */
  aim(target: string, token: string): void;
  close(): void;
}

export async function bearerProxy(): Promise<BearerProxy> {
  let port: string;
  let authorization: string;
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    // Keeps the client's Host header, because the server has to check it.
    const options = { host: "127.0.0.1", port, method, path, headers: { ...headers, authorization } };
    const onward = request(options, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    aim(target, token) {
      port = new URL(target).port;
      authorization = `Bearer ${token}`;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
