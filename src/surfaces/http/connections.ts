// Makes room for new connections. If there are too many, the one that has been idle longest is closed, never one in
// use.
import type { Server } from "node:http";
import { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";

/** On a TLS server, requests arrive on the socket of `secureConnection`. Handshakes have their own timeout. */
export const connectionEvent = (server: Server): "connection" | "secureConnection" =>
  server instanceof TlsServer ? "secureConnection" : "connection";

/**
 * First closes connections that have not sent a complete request yet, then those that are waiting for their next one.
 */
export function limitConnections(server: Server, max: number): void {
  const silent = new Set<Socket>();
  const waiting = new Set<Socket>();
  const underWay = new Map<Socket, number>();
  let open = 0;
  const oldest = (sockets: Set<Socket>): Socket | undefined => sockets.values().next().value;

  server.on(connectionEvent(server), (socket: Socket) => {
    open++;
    socket.once("close", () => {
      open--;
      silent.delete(socket);
      waiting.delete(socket);
      underWay.delete(socket);
    });
    if (open > max) (oldest(silent) ?? oldest(waiting) ?? socket).destroy();
    silent.add(socket);
  });

  server.prependListener("request", ({ socket }, answer) => {
    silent.delete(socket);
    waiting.delete(socket);
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1);
    answer.once("close", () => {
      // A client may send its next request before it has read the response.
      const left = (underWay.get(socket) ?? 1) - 1;
      underWay.set(socket, left);
      if (left === 0 && !socket.destroyed) waiting.add(socket);
    });
  });
}
