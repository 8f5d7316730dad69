// A database that fails on demand: a proxy that can be cut or go silent, and a server that connects through it.
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

export interface DatabaseProxy {
  url: string;
  /** Connections stay open but nothing passes, even on new ones, as when the network has failed. */
  silent: boolean;
  /** New connections are refused. */
  closed: boolean;
  /**
   * Cuts the transaction that wrote this text right after its COMMIT was passed on, and then calls `onCut`. Happens
   * only once.
   */
  cutAtCommitOf: string | undefined;
  onCut: (() => void) | undefined;
  cutAll(): void;
  close(): void;
}

/** Starts a proxy between servers and their database. */
export async function databaseProxy(url: string): Promise<DatabaseProxy> {
  const to = new URL(url);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    if (proxy.closed) return void near.destroy();
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
      if (proxy.silent) return;
      seen = bytes.includes("BEGIN") ? "" : seen + bytes.toString("latin1");
      if (proxy.cutAtCommitOf !== undefined && bytes.includes("COMMIT\0") && seen.includes(proxy.cutAtCommitOf)) {
        proxy.cutAtCommitOf = undefined;
        proxy.onCut?.();
        // The database gets the COMMIT, but its response is dropped.
        deaf = true;
        far.write(bytes, () => near.destroy());
        far.on("data", () => far.destroy());
        return;
      }
      far.write(bytes);
    });
    far.on("data", (bytes) => {
      if (!proxy.silent && !deaf) near.write(bytes);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const via = new URL(url);
  via.port = String((server.address() as AddressInfo).port);
  const proxy: DatabaseProxy = {
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
      proxy.cutAll();
    },
  };
  return proxy;
}

export interface TroubledServer extends Client {
  server: RunningServer;
  subject: string;
  /** The id of a connection for books. */
  connection: string;
  log: string[];
  close(): Promise<void>;
}

/** Starts a server on a database, with a connection. */
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
  proxy: DatabaseProxy;
  /** The name of the database, which is also the name of the server's user. */
  name: string;
  /** Runs SQL as the operator, without the proxy. */
  ask(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]>;
  /** Opens a session that stays open to hold a lock, as the operator or as another server would. */
  session(whose?: "operator" | "server"): Promise<pg.Client>;
  close(): Promise<void>;
}

/** Creates a separate database, a proxy to it, and a server that uses the proxy. */
export async function troubled(): Promise<Troubled> {
  const { url, drop } = await emptyDatabase();
  const name = new URL(url).pathname.slice(1);
  const own = new URL(url);
  own.username = name;
  const proxy = await databaseProxy(own.href);
  const operator = new pg.Client({ connectionString: url });
  await operator.connect();
  // At the end, the database is dropped while this session is connected.
  operator.on("error", () => undefined);
  await operator.query(`CREATE ROLE ${name} LOGIN PASSWORD '${own.password}'; ALTER DATABASE ${name} OWNER TO ${name}`);
  const server = await serverOn(proxy.url);
  return {
    server,
    proxy,
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
      proxy.close();
      await operator.end();
      await drop();
      const last = new pg.Client({ connectionString: runUrl() });
      await last.connect();
      await last.query(`DROP ROLE ${name}`);
      await last.end();
    },
  };
}

/** Returns the response to a probe. */
export async function readiness({ url }: Pick<Client, "url">): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, text: await answer.text() };
}

/** Unexpected errors are logged with their stack. */
export const stacks = (log: readonly string[]): string[] => log.filter((line) => /\n\s+at /.test(line));
