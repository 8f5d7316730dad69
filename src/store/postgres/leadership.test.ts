// Leader election: one process at a time runs an owner's jobs, whatever happens to its connection or process.
import { fork } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../../test/events/receiver.ts";
import { type TestOwner, testOwner } from "../../../test/postgres.ts";
import type { Leadership, LeadershipOptions } from "../place.ts";
import { lead } from "./leadership.ts";
import { openPostgresStore } from "./postgres-store.ts";

const LEASE_MS = 1500;
let owner: TestOwner;
let leaderships: Leadership[] = [];

beforeEach(async () => {
  owner = await testOwner();
});
afterEach(async () => {
  await Promise.all(leaderships.map((one) => one.close()));
  leaderships = [];
  await owner.close();
});

interface Process {
  /** The terms of this process's elections. Undefined means that it lost leadership. */
  terms: (number | undefined)[];
  pid(): Promise<number>;
}

/** Each name has its own connection, as if it were another process. */
function stand(name: string, options: Partial<LeadershipOptions> = {}): Process {
  const terms: Process["terms"] = [];
  const url = new URL(owner.url);
  url.searchParams.set("application_name", name);
  const leading = lead(
    url.href,
    owner.subject,
    {
      gained: async (term) => void terms.push(term),
      lost: async () => void terms.push(undefined),
      log: (text) => {
        throw new Error(text);
      },
      ...options,
    },
    LEASE_MS,
  );
  leaderships.push(leading);
  return {
    terms,
    async pid() {
      const [row] = await ask("SELECT pid FROM pg_stat_activity WHERE application_name = $1", name);
      return row![0] as number;
    },
  };
}

const ask = (sql: string, ...values: (string | number)[]): Promise<unknown[][]> =>
  owner.database.session((connection) => connection.rows(sql, ...values));

const leads = ({ terms }: Process): boolean => terms.at(-1) !== undefined;

const elected = (one: Process): Promise<boolean> =>
  until(
    async () => leads(one),
    (is) => is,
  );

describe("P-07 the leader of an owner", () => {
  it("P-07 is a single process; it is notified when its connection ends, and another is elected with a higher term", async () => {
    const name = `first-${owner.subject}`;
    const first = stand(name);
    await elected(first);
    const second = stand(`second-${owner.subject}`);
    // Wait long enough that the second process would have taken over if it did not have to wait.
    await until(
      () => ask("SELECT 1 FROM pg_stat_activity WHERE application_name = $1", `second-${owner.subject}`),
      (rows) => rows.length === 1,
    );
    for (let n = 0; n < 5; n++) {
      await ask("SELECT pg_sleep(0.2)");
      expect([leads(first), leads(second)]).toEqual([true, false]);
    }
    await ask("SELECT pg_terminate_backend($1)", await first.pid());
    await until(
      async () => [first.terms.length, second.terms.length],
      ([before, after]) => before! >= 2 && before! + after! >= 3,
    );
    const [term, lost, ...again] = first.terms;
    expect(lost).toBeUndefined();
    expect(Math.max(...[...again, ...second.terms].map(Number))).toBe(term! + 1);
    expect([leads(first), leads(second)].filter(Boolean)).toHaveLength(1);
  });

  it("P-07 loses leadership if it is paused, and its writes are refused when it continues", async () => {
    const file = new URL("./leadership.fixture.ts", import.meta.url);
    const paused = fork(file, [owner.url, owner.subject, String(LEASE_MS)], { stdio: "inherit" });
    try {
      const [{ term }] = (await once(paused, "message")) as [{ term: number }];
      const store = await openPostgresStore(owner.database, owner.subject);
      const write = (by: number) => store.write((view) => view.subject(), { term: by });
      await expect(write(term)).resolves.toBe(owner.subject);
      paused.kill("SIGSTOP");
      const other = stand(`other-${owner.subject}`);
      await elected(other);
      await expect(write(term)).rejects.toMatchObject({
        code: "store_unavailable",
        message: "another process runs the jobs now",
      });
      await expect(write(other.terms[0]!)).resolves.toBe(owner.subject);
      paused.kill("SIGCONT");
      expect((await once(paused, "message"))[0]).toEqual({ lost: term });
      expect(leads(other)).toBe(true);
    } finally {
      paused.kill("SIGKILL");
    }
  });

  it("P-07 is elected without an error after waiting for one of the owner's writers", async () => {
    const store = await openPostgresStore(owner.database, owner.subject);
    const [held, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = store.write(() => {
      begun.resolve();
      return held.promise;
    });
    await begun.promise;
    const first = stand(`waits-${owner.subject}`);
    await until(
      () =>
        ask(
          "SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'",
          `waits-${owner.subject}`,
        ),
      (rows) => rows.length === 1,
    );
    expect(first.terms).toEqual([]);
    held.resolve();
    await writing;
    await elected(first);
  });

  it("P-07 announces itself on a server with many owners, and records when to check again", async () => {
    const lookAt = async (): Promise<unknown> =>
      (await ask("SELECT look_at FROM job_watch WHERE subject_id = $1", owner.subject))[0]?.[0];
    const at = Date.now() + 86_400_000;
    stand(`watches-${owner.subject}`, { nextAt: async () => at });
    const until45 = await until(lookAt, (time) => time !== undefined);
    expect(Number(until45)).toBeLessThan(Date.now() + 60_000);
    await leaderships.pop()!.close();
    expect(await lookAt()).toBe(at);
    stand(`again-${owner.subject}`, { nextAt: async () => null });
    await until(lookAt, (time) => time !== at);
    await leaderships.pop()!.close();
    expect(await lookAt()).toBeUndefined();
  });
});
