// A database that misbehaves on demand: a way to it that can be cut or fall silent, and a server that looks through it.
import { once } from "node:events";
import { rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import pg from "pg";
import { type RunningServer, startServer } from "../../src/main.ts";
import { APPLICATION } from "../../src/store/postgres/connection.ts";
import { prepareDatabase } from "../../src/store/postgres/prepare.ts";
import { type Client, clientOf, HOME_OWNER, newHome } from "../harness.ts";
import { library } from "../library.ts";
import { emptyDatabase, runUrl } from "../postgres.ts";

export interface Way {
  url: string;
  /** Connections stay open and nothing passes, also of new ones: what a network does that is gone. */
  silent: boolean;
  /** Nobody is let in any more. */
  closed: boolean;
  /** Once: a transaction that wrote this is cut right after its COMMIT has been passed on; then `onCut` is told. */
  cutAtCommitOf: string | undefined;
  onCut: (() => void) | undefined;
  cutAll(): void;
  close(): void;
}

/** Between servers and their database. */
export async function wayTo(url: string): Promise<Way> {
  const to = new URL(url);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    if (way.closed) return void near.destroy();
    const far = connect(Number(to.port), to.hostname);
    let deaf = false;
    let seen = "";
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(socket);
        near.destroy();
        if (!deaf) far.destroy();
      });
    }
    near.on("data", (bytes) => {
      if (way.silent) return;
      seen = bytes.includes("BEGIN") ? "" : seen + bytes.toString("latin1");
      if (way.cutAtCommitOf !== undefined && bytes.includes("COMMIT\0") && seen.includes(way.cutAtCommitOf)) {
        way.cutAtCommitOf = undefined;
        way.onCut?.();
        // The database gets it; its answer finds nobody.
        deaf = true;
        far.write(bytes, () => near.destroy());
        far.on("data", () => far.destroy());
        return;
      }
      far.write(bytes);
    });
    far.on("data", (bytes) => {
      if (!way.silent && !deaf) near.write(bytes);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const via = new URL(url);
  via.port = String((server.address() as AddressInfo).port);
  const way: Way = {
    url: via.href,
    silent: false,
    closed: false,
    cutAtCommitOf: undefined,
    onCut: undefined,
    cutAll() {
      for (const socket of open) socket.destroy();
    },
    close() {
      server.close();
      way.cutAll();
    },
  };
  return way;
}

export interface TroubledServer extends Client {
  server: RunningServer;
  subject: string;
  /** Of a shelf for books. */
  connection: string;
  log: string[];
  close(): Promise<void>;
}

/** A server on a database, with a shelf. */
async function serverOn(url: string): Promise<TroubledServer> {
  const home = newHome();
  const log: string[] = [];
  const database = await prepareDatabase(url);
  const server = await startServer({ home, database, port: 0, log: (text) => void log.push(text) });
  const issued = await server.host.call("issueOwnerToken", {}, HOME_OWNER);
  const client = clientOf(server.url, issued.access_token);
  await client.register("library", library);
  return {
    ...client,
    server,
    subject: database.subject,
    connection: await client.connect("library", "Shelf"),
    log,
    async close() {
      await server.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export interface Troubled {
  server: TroubledServer;
  way: Way;
  /** Of the database, and of the server's user in it. */
  name: string;
  /** The operator, by another way. */
  ask(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]>;
  /** A session that stays, to hold something: of the operator, or as another server has one. */
  session(whose?: "operator" | "server"): Promise<pg.Client>;
  close(): Promise<void>;
}

/** A database of its own, a way to it, and a server at its end. */
export async function troubled(): Promise<Troubled> {
  const { url, drop } = await emptyDatabase();
  const name = new URL(url).pathname.slice(1);
  const own = new URL(url);
  own.username = name;
  const way = await wayTo(own.href);
  const operator = new pg.Client({ connectionString: url });
  await operator.connect();
  // Its database is dropped under it at the end.
  operator.on("error", () => undefined);
  await operator.query(`CREATE ROLE ${name} LOGIN PASSWORD '${own.password}'; ALTER DATABASE ${name} OWNER TO ${name}`);
  const server = await serverOn(way.url);
  return {
    server,
    way,
    name,
    ask: async (sql, ...values) => (await operator.query(sql, values)).rows as Record<string, unknown>[],
    async session(whose = "operator") {
      const client = new pg.Client(
        whose === "operator"
          ? { connectionString: url }
          : { connectionString: own.href, application_name: APPLICATION },
      );
      await client.connect();
      client.on("error", () => undefined);
      return client;
    },
    async close() {
      await server.close();
      way.close();
      await operator.end();
      await drop();
      const last = new pg.Client({ connectionString: runUrl() });
      await last.connect();
      await last.query(`DROP ROLE ${name}`);
      await last.end();
    },
  };
}

/** The answer to a probe. */
export async function readiness({ url }: Pick<Client, "url">): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, text: await answer.text() };
}

/** Unexpected errors are in the log with their stack. */
export const stacks = (log: readonly string[]): string[] => log.filter((line) => /\n\s+at /.test(line));
