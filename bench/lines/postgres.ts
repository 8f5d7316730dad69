// The engine on PostgreSQL, including audit row and snapshot, compared with bare statements on one connection; and
// bytes on disk.
import type { List } from "../../src/contract/answers.ts";
import type { CallName, QueryOf } from "../../src/engine/calls/calls.ts";
import type { EngineHost } from "../../src/engine/host.ts";
import { threadedHost } from "../../src/engine/threads/threaded-host.ts";
import type { Bench } from "../bench.ts";
import { recordAt, SOME_ACCOUNT, STREAM, wordOfRank } from "../data.ts";
import { alternate, alternateInFlight, type Effort, type Sides } from "../measure.ts";
import {
  bytesPerOwner,
  issueGrant,
  openPostgresEngine,
  openPostgresHome,
  type PostgresHome,
  runSql,
  tableBytes,
} from "../postgres-home.ts";
import { figure, inMs, type Result } from "../report.ts";
import { type BarePostgres, barePostgres } from "../yardsticks/bare-postgres.ts";

const OWNERS = 200;
const IN_FLIGHT = 16;
/** The size of a thread's pool. */
const CONNECTIONS = 4;
/** These words are in about 40 %, 7 % and less than 1 % of the texts. */
const WORDS = { common: wordOfRank(9), mid: wordOfRank(94), rare: wordOfRank(6000) };

export const postgres: Bench = {
  name: "postgres",
  async onSize(size) {
    const home = await openPostgresHome(size, "postgres");
    try {
      return [...(await ratios(home)), ...(await bytes(home))];
    } finally {
      await home.close();
    }
  },
};

async function ratios(home: PostgresHome): Promise<Result[]> {
  const { url } = home.database;
  // A sync takes the same time on both sides and would hide the difference between them.
  await runSql(url, "ALTER DATABASE postgres SET synchronous_commit = off");
  const alone = await openPostgresEngine(home);
  const { access_token: token } = await issueGrant(alone);
  const results = await oneByOne(home, alone, token);
  await alone.close();
  const place = { home: home.path, database: home.database };
  const threads = threadedHost({ place, onFailure: (text) => process.stderr.write(`${text}\n`) });
  results.push(...(await together(home, threads, token)));
  await threads.close();
  await runSql(url, "ALTER DATABASE postgres RESET synchronous_commit");
  return results;
}

/** The engine in this thread, like the bare statements, so that reads neither wait nor are batched. */
async function oneByOne(home: PostgresHome, host: EngineHost, token: string): Promise<Result[]> {
  const bare = await barePostgres(home, 1);
  const results: Result[] = [];
  for (const [line, { effort, ...sides }] of Object.entries(linesOf(home, host, token, bare))) {
    await sameNumber(line, sides);
    const { ours, yardstick, ratio, cpu } = await alternate(sides, effort);
    results.push({
      line,
      size: home.name,
      ratio,
      budget: { atMost: 1.6 },
      ours: inMs(ours.median),
      yardstick: inMs(yardstick.median),
      against: `a bare statement and its audit row on one connection; CPU time: ours ${inMs(cpu!.ours)}, bare ${inMs(cpu!.yardstick)}`,
    });
  }
  await bare.close();
  return results;
}

/** As in a server, where concurrent reads share a snapshot and an audit statement. */
async function together(home: PostgresHome, host: EngineHost, token: string): Promise<Result[]> {
  const bare = await barePostgres(home, CONNECTIONS);
  const results: Result[] = [];
  for (const [line, sides] of Object.entries(linesOf(home, host, token, bare)).slice(0, 3)) {
    const { ours, yardstick, ratio } = await alternateInFlight(sides, { rounds: 7, calls: 320 }, IN_FLIGHT);
    results.push({
      line: `${line}, ${IN_FLIGHT} in flight`,
      size: home.name,
      ratio,
      ours: inMs(ours.median),
      yardstick: inMs(yardstick.median),
      against: `the same on ${CONNECTIONS} connections, time per call`,
    });
  }
  await bare.close();
  return results;
}

type Line = Sides & { effort: Effort };

function linesOf({ records }: PostgresHome, host: EngineHost, token: string, bare: BarePostgres): Record<string, Line> {
  const call = <M extends CallName>(method: M, query: QueryOf<M>) => host.callText(method, query, { token });
  const ids = Array.from({ length: 997 }, (_, index) => recordAt(Math.floor((index * records) / 997), records).id);
  const id = (index: number): string => ids[(index * 211) % ids.length]!;
  // Like a server that has been running for a while: V8 needs a thousand calls to compile the whole engine, but
  // compiles a bare statement immediately.
  const effort = { rounds: 40, warmUp: 20, calls: 60 };
  const search = (name: keyof typeof WORDS): Line => ({
    ours: () => call("search", { q: WORDS[name], limit: 10 }),
    yardstick: () => bare.search(WORDS[name], 10),
    effort: name === "rare" ? effort : { rounds: 7, calls: 10 },
  });
  return {
    "PostgreSQL, point read": {
      ours: (index) => call("record", { stream: STREAM, id: id(index) }),
      yardstick: (index) => bare.point(id(index)),
      effort,
    },
    "PostgreSQL, newest 25 records": {
      ours: () => call("records", { stream: STREAM, limit: 25 }),
      yardstick: () => bare.newest(26),
      effort,
    },
    "PostgreSQL, filtered page": {
      ours: () => call("records", { stream: STREAM, filter: { account: SOME_ACCOUNT }, limit: 25 }),
      yardstick: () => bare.filtered(SOME_ACCOUNT, 26),
      effort,
    },
    "PostgreSQL, search, common word": search("common"),
    "PostgreSQL, search, less common word": search("mid"),
    "PostgreSQL, search, rare word": search("rare"),
  };
}

/** Both sides must find the same number of records, otherwise the comparison is meaningless. */
async function sameNumber(line: string, { ours, yardstick }: Sides): Promise<void> {
  const answer = JSON.parse((await ours(0)) as string) as Partial<List<unknown>>;
  const found = Math.min(Array.isArray(answer.data) ? answer.data.length : 1, 25);
  const bare = Math.min((JSON.parse((await yardstick(0)) as string) as unknown[]).length, 25);
  if (found !== bare || found === 0) throw new Error(`${line}: we found ${found} records, SQL found ${bare}`);
}

async function bytes(home: PostgresHome): Promise<Result[]> {
  const { records, jsonBytes, name: size, database } = home;
  const sizes = await tableBytes(database.url);
  const json = jsonBytes / records;
  const perRecord = sizes.record / records;
  const perOwner = await bytesPerOwner(home, OWNERS);
  const projections = sizes.projections / records;
  const [[lines]] = (await runSql(
    database.url,
    "SELECT (SELECT count(*) FROM audit_entry) + (SELECT count(*) FROM audit_line)",
  )) as [[number]];
  const inBytes = (value: number): string => `${figure(value)} B`;
  return [
    {
      line: "PostgreSQL, bytes per record, including indexes",
      size,
      ratio: perRecord / json,
      ours: inBytes(perRecord),
      yardstick: inBytes(json),
      against: "the raw JSON of a record",
    },
    {
      line: "PostgreSQL, bytes per record for columns and search index",
      size,
      ratio: projections / json,
      ours: inBytes(projections),
      yardstick: inBytes(json),
      against: "the raw JSON of a record",
    },
    {
      line: "PostgreSQL, bytes per audit log line, including indexes",
      size,
      ratio: sizes.audit / lines / json,
      ours: inBytes(sizes.audit / lines),
      yardstick: inBytes(json),
      against: "the raw JSON of a record",
    },
    {
      line: "PostgreSQL, bytes per owner without records",
      size,
      ratio: perOwner / json,
      ours: inBytes(perOwner),
      yardstick: inBytes(json),
      against: "the raw JSON of a record",
    },
  ];
}
