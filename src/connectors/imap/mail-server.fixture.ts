// A mail server on loopback whose mailbox a test can change: hoodiecrow, plus the parts of CONDSTORE and Gmail that it
// lacks.
import { once } from "node:events";
import { createRequire } from "node:module";
import type { AddressInfo, Server, Socket } from "node:net";

interface StoredMessage {
  uid: number;
  flags: string[];
  raw: string;
  /** The size that the server claims. */
  size?: number;
  internaldate?: string;
  MODSEQ?: number;
  "X-GM-LABELS"?: string[];
  "X-GM-THRID"?: string;
}

interface StoredFolder {
  messages: StoredMessage[];
  uidvalidity: number;
  uidnext: number;
  HIGHESTMODSEQ?: number;
}

interface Connection {
  socket: Socket | null;
  selectedMailbox: StoredFolder;
  send(response: object, description: string, parsed: Parsed, data: string): void;
}

interface Parsed {
  tag: string;
  command: string;
  changedsince?: number;
  attributes: { value: string }[];
}

type Handler = (connection: Connection, parsed: Parsed, data: string, done: () => void) => void;

interface Hoodiecrow {
  server: Server;
  folderCache: Record<string, StoredFolder>;
  fetchHandlers: Record<string, (connection: Connection, message: StoredMessage) => unknown>;
  outputHandlers: ((
    connection: Connection,
    response: { tag: string },
    description: string,
    parsed: Parsed,
    data: string,
  ) => void)[];
  getCommandHandler(name: string): Handler;
  setCommandHandler(name: string, handler: Handler): void;
  getMessageRange(folder: StoredFolder, range: string, isUid: boolean): [number, StoredMessage][];
  appendMessage(folder: string, flags: string[], date: string | Date, raw: string): { message: StoredMessage };
  registerCapability(name: string): void;
  createMailbox(path: string): void;
  deleteMailbox(path: string): void;
  listen(port: number, host: string): void;
}

const require = createRequire(import.meta.url);
const hoodiecrow = require("hoodiecrow-imap") as (options: object) => Hoodiecrow;

export interface MailServerOptions {
  plugins?: string[];
  storage?: object;
  options?: object;
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

export async function startMailServer({ plugins = [], storage, options = {} }: MailServerOptions = {}) {
  const said: string[] = [];
  const sockets = new Set<Socket>();
  /** How many bodies are sent before the connection breaks, and how many times it breaks. */
  const drop = { after: Number.POSITIVE_INFINITY, times: 0, seen: 0 };
  let delayMs = 0;

  /**
   * Must be loaded before CONDSTORE, which then calls it. It is needed because hoodiecrow's UID FETCH ignores
   * CHANGEDSINCE.
   */
  function changedSince(server: Hoodiecrow): void {
    const fetch = server.getCommandHandler("UID FETCH");
    server.setCommandHandler("UID FETCH", (connection, parsed, data, done) => {
      const go = (): void => {
        const found =
          parsed.changedsince === undefined
            ? undefined
            : server
                .getMessageRange(connection.selectedMailbox, parsed.attributes[0]!.value, true)
                .filter(([, message]) => message.MODSEQ! > parsed.changedsince!);
        if (found?.length === 0) {
          connection.send({ tag: parsed.tag, command: "OK" }, "UID FETCH", parsed, data);
          done();
          return;
        }
        if (found !== undefined) parsed.attributes[0]!.value = found.map(([, { uid }]) => uid).join(",");
        fetch(connection, parsed, data, done);
      };
      said.push(data);
      if (delayMs > 0) setTimeout(go, delayMs);
      else go();
    });
    if (plugins.includes("X-GM-EXT-1")) server.registerCapability("X-GM-EXT-1");
    server.fetchHandlers["RFC822.SIZE"] = (_, { size, raw }) => size ?? raw.length;
    server.fetchHandlers["X-GM-THRID"] = (_, message) => message["X-GM-THRID"] ?? "1";
    server.outputHandlers.push((connection, response, description, parsed, data) => {
      // hoodiecrow enables the extension without confirming it.
      if (description === "ENABLE" && response.tag !== "*") {
        const attributes = parsed.attributes.map(({ value }) => ({ type: "ATOM", value }));
        connection.send({ tag: "*", command: "ENABLED", attributes }, "ENABLED", parsed, data);
      }
      if (description !== "UID FETCH" || response.tag !== "*" || drop.times === 0) return;
      if (++drop.seen < drop.after) return;
      drop.seen = 0;
      drop.times--;
      connection.socket?.destroy();
    });
  }

  const server = hoodiecrow({
    plugins: [changedSince, ...plugins],
    storage: storage ?? { INBOX: {}, "": { folders: { Archive: {} } } },
    ...options,
  });
  server.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");

  const folder = (path: string): StoredFolder => server.folderCache[path]!;
  const changed = (path: string, message: StoredMessage): void => {
    const { HIGHESTMODSEQ = 0 } = folder(path);
    if (message.MODSEQ !== undefined) message.MODSEQ = folder(path).HIGHESTMODSEQ = HIGHESTMODSEQ + 1;
  };
  const find = (path: string, id: string): StoredMessage => {
    const found = folder(path).messages.find(({ raw }) => raw.includes(`<${id}>`));
    if (found === undefined) throw new Error(`${path} has no ${id}`);
    return found;
  };
  const remove = (path: string, id: string): StoredMessage => {
    const message = find(path, id);
    folder(path).messages = folder(path).messages.filter((one) => one !== message);
    if (message.MODSEQ !== undefined) folder(path).HIGHESTMODSEQ = (folder(path).HIGHESTMODSEQ ?? 0) + 1;
    return message;
  };

  return {
    port: (server.server.address() as AddressInfo).port,
    /** The UID FETCH commands received. */
    said,
    drop,
    slow: (milliseconds: number) => {
      delayMs = milliseconds;
    },
    folder,
    append: (path: string, raw: string, flags: string[] = []): number =>
      server.appendMessage(path, flags, "01-Mar-2024 10:00:00 +0000", raw).message.uid,
    setFlags(path: string, id: string, flags: string[]): void {
      const message = find(path, id);
      message.flags = flags;
      changed(path, message);
    },
    setLabels(path: string, id: string, labels: string[]): void {
      const message = find(path, id);
      message["X-GM-LABELS"] = labels;
      changed(path, message);
    },
    claimSize(path: string, id: string, size: number): void {
      find(path, id).size = size;
    },
    remove,
    move(from: string, to: string, id: string): void {
      const { raw, flags } = remove(from, id);
      server.appendMessage(to, flags, "01-Mar-2024 10:00:00 +0000", raw);
    },
    create: (path: string): void => server.createMailbox(path),
    deleteFolder: (path: string): void => server.deleteMailbox(path),
    /** Gives the same messages new UIDs, as after a restore from a backup. */
    renumber(path: string): void {
      const mailbox = folder(path);
      mailbox.uidvalidity++;
      mailbox.uidnext += 1000;
      for (const message of mailbox.messages) message.uid += 1000;
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      server.server.close();
      await once(server.server, "close");
    },
  };
}
