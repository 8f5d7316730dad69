// Several servers on one PostgreSQL: point reads over HTTP spread over 1, 2 and 3 servers, and the time until all
// servers apply a revocation.
import type { IssuedGrant } from "../../src/contract/grant.ts";
import type { Bench } from "../bench.ts";
import { recordAt, STREAM } from "../data.ts";
import { type Client, openClient, requestHead } from "../http-client.ts";
import { flood, median, milliseconds, sampleOf } from "../measure.ts";
import {
  issueGrant,
  OWNER,
  openPostgresEngine,
  openPostgresHome,
  type PostgresHome,
  runSql,
} from "../postgres-home.ts";
import { figure, inMs, type Result } from "../report.ts";
import { cpuMs, type Started, startPostern } from "../server.ts";

const SERVERS = 3;
const IN_FLIGHT = 32;
const REQUESTS = 3000;
const ROUNDS = 5;
const REVOCATIONS = 20;
const REVOKED_MS_MAX = 1000;

export const processes: Bench = {
  name: "postgres processes",
  async onSize(size) {
    const home = await openPostgresHome(size, "processes");
    const servers: Started[] = [];
    try {
      const host = await openPostgresEngine(home);
      const { access_token: token } = await issueGrant(host);
      const owner = await host.call("issueOwnerToken", {}, OWNER);
      await host.close();
      const env = { DATABASE_URL: home.database.url, PDPP_OWNER: home.database.subject };
      for (let count = 0; count < SERVERS; count++) servers.push(await startPostern(home.path, env));
      return [
        ...(await throughput(home, servers, token)),
        await revocation(home, servers, owner.access_token),
        await connections(home, servers),
      ];
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
      await home.close();
    }
  },
};

interface Turn {
  perSecond: number;
  /** Milliseconds of CPU time per request, for the servers, PostgreSQL and this client. */
  cpu: number[];
}

async function throughput(home: PostgresHome, servers: readonly Started[], token: string): Promise<Result[]> {
  const ids = Array.from({ length: 997 }, (_, at) => recordAt(Math.floor((at * home.records) / 997), home.records).id);
  const kept = await Promise.all(
    Array.from({ length: IN_FLIGHT }, () => Promise.all(servers.map((server) => openClient(server.port)))),
  );
  async function turn(used: number): Promise<Turn> {
    const idle = kept.map((clients, at) => ({ client: clients[at % used]!, port: servers[at % used]!.port }));
    const ask = async (index: number): Promise<void> => {
      const one = idle.pop()!;
      const target = `/v1/streams/${STREAM}/records/${ids[(index * 211) % ids.length]!}`;
      await one.client.send(requestHead("GET", target, one.port, token));
      idle.push(one);
    };
    const before = await spent(home, servers);
    const taken = await milliseconds(() => flood(ask, 0, REQUESTS, IN_FLIGHT));
    const after = await spent(home, servers);
    return { perSecond: (REQUESTS / taken) * 1000, cpu: after.map((ms, at) => (ms - before[at]!) / REQUESTS) };
  }
  const turns: Turn[][] = Array.from({ length: SERVERS }, () => []);
  for (let round = 0; round < ROUNDS; round++)
    for (let used = 1; used <= SERVERS; used++) {
      const measured = await turn(used);
      if (round > 0) turns[used - 1]!.push(measured);
    }
  for (const clients of kept) for (const client of clients) client.close();
  const rates = turns.map((all) => median(all.map(({ perSecond }) => perSecond)));
  return turns.map((all, at) => {
    const [server, database, client] = [0, 1, 2].map((side) => inMs(median(all.map(({ cpu }) => cpu[side]!))));
    return {
      line: `PostgreSQL, point reads over HTTP, ${at + 1} server${at === 0 ? "" : "s"}, ${IN_FLIGHT} in flight`,
      size: home.name,
      ratio: rates[at]! / rates[0]!,
      ours: `${figure(rates[at]!)}/s`,
      yardstick: `${figure(rates[0]!)}/s`,
      against: `one server; CPU time per request: servers ${server}, database ${database}, client ${client}`,
    };
  });
}

/** CPU milliseconds used so far. */
async function spent({ database: { url } }: PostgresHome, servers: readonly Started[]): Promise<number[]> {
  const pids = await runSql(url, "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()");
  const { user, system } = process.cpuUsage();
  return [
    servers.reduce((sum, server) => sum + server.cpuMs(), 0),
    pids.reduce((sum, [pid]) => sum + cpuMs(pid as number), 0),
    (user + system) / 1000,
  ];
}

/**
 * Measures from the response to a revocation until every server refuses the token. All servers are polled in parallel,
 * without a pause.
 */
async function revocation(home: PostgresHome, servers: readonly Started[], owner: string): Promise<Result> {
  const clients = await Promise.all(servers.map((server) => openClient(server.port)));
  const times: number[] = [];
  for (let count = 0; count < REVOCATIONS; count++) {
    const at = count % servers.length;
    const { access_token, grant_id } = await newGrant(clients[at]!, servers[at]!.port, owner);
    const read = (which: number): Promise<boolean> =>
      clients[which]!.send(
        requestHead("GET", `/v1/streams/${STREAM}/records?limit=1`, servers[which]!.port, access_token),
      ).then(
        () => true,
        () => false,
      );
    for (const [which] of servers.entries())
      if (!(await read(which))) throw new Error("a new grant does not show the record");
    await clients[at]!.send(requestHead("POST", `/v1/grants/${grant_id}/revoke`, servers[at]!.port, owner, 0));
    const last = servers.map(() => 0);
    const revokedAt = performance.now();
    await Promise.all(
      servers.map(async (_, which) => {
        while (await read(which)) last[which] = performance.now() - revokedAt;
      }),
    );
    times.push(Math.max(...last));
  }
  for (const client of clients) client.close();
  const slowest = Math.max(...times);
  return {
    line: `PostgreSQL, time until a revocation applies on ${servers.length} servers, slowest of ${REVOCATIONS}`,
    size: home.name,
    ratio: slowest / REVOKED_MS_MAX,
    budget: { atMost: 1 },
    ours: slowest === 0 ? "the next request" : inMs(slowest),
    yardstick: inMs(REVOKED_MS_MAX),
    against: `the budget; median ${inMs(sampleOf(times).median)}`,
  };
}

/**
 * Counts the connections that a server has open after reads and writes. docs/run/scaling.md gives the maximum of its
 * pools.
 */
async function connections({ name, database: { url } }: PostgresHome, servers: readonly Started[]): Promise<Result> {
  const open = await runSql(url, "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'postern%'");
  const each = (open.length - 1) / servers.length;
  const megabytes = median(servers.map((server) => server.residentBytes())) / 2 ** 20;
  return {
    line: "PostgreSQL, database connections per server after the load",
    size: name,
    ratio: each,
    ours: figure(each),
    yardstick: "1",
    against: `one connection; memory (RSS) per server: ${megabytes.toFixed(0)} MB`,
  };
}

async function newGrant(client: Client, port: number, owner: string): Promise<IssuedGrant> {
  const body = Buffer.from(JSON.stringify({ all: true }));
  const head = requestHead("POST", "/v1/grants", port, owner, body.length);
  return JSON.parse(await client.send(head, body)) as IssuedGrant;
}
