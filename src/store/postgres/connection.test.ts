// A connection that breaks at a bad moment does not break anything else.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, it } from "vitest";
import { Database } from "./connection.ts";

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const AUTHENTICATED = message("R", Buffer.alloc(4));
const READY = message("Z", Buffer.from("I"));
const ENDED = message("E", Buffer.from("SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0"));

it("P-07 a connection that ends as soon as it is ready fails the query, and the process continues", async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(Buffer.concat([AUTHENTICATED, READY, ENDED])));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const database = new Database(`postgres://u:p@127.0.0.1:${port}/d`, { timeoutMs: 300 });
  await expect(database.session((connection) => connection.rows("SELECT 1"))).rejects.toMatchObject({
    code: "store_unavailable",
  });
  await database.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});
