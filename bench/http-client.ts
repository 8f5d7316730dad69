// A minimal HTTP client on one persistent connection. It uses so little time that the figures measure mostly the
// server.
import { connect, type Socket } from "node:net";

export interface Client {
  /** Resolves to the body of a 2xx response; rejects for any other status. */
  send(head: string, body?: Uint8Array): Promise<string>;
  close(): void;
}

export function requestHead(method: string, target: string, port: number, token: string, bytes?: number): string {
  const length = bytes === undefined ? "" : `Content-Length: ${bytes}\r\n`;
  return `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n${length}\r\n`;
}

/** The request that the owner's browser sends to load a page. */
export const sessionHead = (target: string, port: number, session: { key: string; cookies: string[] }): string =>
  `GET /~${session.key}${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/html\r\nCookie: ${session.cookies.map((line) => line.split(";")[0]).join("; ")}\r\n\r\n`;

export async function openClient(port: number): Promise<Client> {
  const socket: Socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  let waiting: PromiseWithResolvers<string> | undefined;
  let held: Buffer = Buffer.alloc(0);
  socket.on("data", (part: Buffer) => {
    held = held.length === 0 ? part : Buffer.concat([held, part]);
    const answer = takeAnswer(held);
    if (answer === undefined) return;
    held = Buffer.alloc(0);
    const { status, body } = answer;
    if (status >= 200 && status < 300) waiting!.resolve(body);
    else waiting!.reject(new Error(`${status} ${body}`));
  });
  socket.on("close", () => waiting?.reject(new Error("the server closed the connection")));
  return {
    send(head, body) {
      waiting = Promise.withResolvers();
      socket.write(head);
      if (body !== undefined) socket.write(body);
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
}

function takeAnswer(bytes: Buffer): { status: number; body: string } | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const head = bytes.toString("latin1", 0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`a response without Content-Length: ${head}`);
  const total = end + 4 + Number(length);
  if (bytes.length < total) return undefined;
  return { status: Number(head.slice(9, 12)), body: bytes.toString("utf8", end + 4, total) };
}
