// Optimistic reads see one state of an owner despite concurrent writers, and fall back to a transaction if needed.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyDatabase } from "../../../test/postgres.ts";
import type { ReadView, Store } from "../store.ts";
import { Database } from "./connection.ts";
import { openPostgresStore, putOwner } from "./postgres-store.ts";
import { migrate } from "./schema.ts";

let place: Awaited<ReturnType<typeof emptyDatabase>>;
let database: Database;
let subject: string;
let reader: Store;
let writer: Store;

beforeAll(async () => {
  place = await emptyDatabase();
  database = new Database(place.url);
  await database.session(migrate);
  subject = await database.session((connection) => putOwner(connection));
  reader = await openPostgresStore(database, subject);
  writer = await openPostgresStore(database, subject);
});
afterAll(async () => {
  await reader.close();
  await writer.close();
  await database.close();
  await place.drop();
});

const put = (id: string, body: number): Promise<void> =>
  writer.write(async (view) => {
    await view.putItem(subject, { kind: "number", id, holder: null, createdAt: 0, dueAt: null, body });
  });
const numberIn = async (view: ReadView, id: string): Promise<unknown> => (await view.item(subject, "number", id))?.body;

/** Repeats a read until reads begin without a transaction. */
async function calm(): Promise<void> {
  for (let count = 0; count < 3; count++) await reader.read((view) => numberIn(view, "a"), { repeatable: true });
}

/** Also returns how many times the work ran. */
async function counted<T>(work: (view: ReadView) => Promise<T>): Promise<{ value: T; times: number }> {
  let times = 0;
  const value = await reader.read(
    (view) => {
      times++;
      return work(view);
    },
    { repeatable: true },
  );
  return { value, times };
}

describe("P-07 a read without a transaction", () => {
  it("sees another process's writes immediately, even for cached rows", async () => {
    await put("a", 1);
    await calm();
    expect(await counted((view) => numberIn(view, "a"))).toEqual({ value: 1, times: 1 });
    await put("a", 2);
    expect(await counted((view) => numberIn(view, "a"))).toEqual({ value: 2, times: 2 });
  });

  it("is repeated if something is written during it, and sees one state", async () => {
    await put("a", 1);
    await put("b", 1);
    await calm();
    let isFirst = true;
    const both = await counted(async (view) => {
      const a = (await view.items(subject, "number")).find(({ id }) => id === "a")?.body;
      if (isFirst) {
        isFirst = false;
        await writer.write(async (view) => {
          for (const id of ["a", "b"])
            await view.putItem(subject, { kind: "number", id, holder: null, createdAt: 0, dueAt: null, body: 5 });
        });
      }
      return [a, await numberIn(view, "b")];
    });
    expect(both).toEqual({ value: [5, 5], times: 2 });
  });

  it("is repeated even if the work swallows the error", async () => {
    await put("a", 1);
    await calm();
    await put("a", 3);
    const found = await counted(async (view) => {
      try {
        return await numberIn(view, "a");
      } catch {
        return "hidden";
      }
    });
    expect(found).toEqual({ value: 3, times: 2 });
  });

  it("notices writes even if it sends no query", async () => {
    await calm();
    const before = await reader.read((view) => view.epoch(), { repeatable: true });
    await writer.write((view) =>
      view.putConnection(subject, { connectionId: "cin_x", sourceId: "s", displayName: "", createdAt: 0 }),
    );
    expect(await counted(async (view) => view.epoch())).toEqual({ value: before + 1, times: 2 });
    await calm();
    await put("a", 4);
    const refused = counted(async () => {
      throw new Error("refused");
    });
    await expect(refused).rejects.toThrow("refused");
  });

  it("reads the feed only in a transaction", async () => {
    await calm();
    expect(await counted((view) => Promise.resolve(view.allChanges(0, 10, 10)))).toEqual({ value: [], times: 2 });
  });

  it("continues on another connection if its own breaks", async () => {
    await put("a", 6);
    await calm();
    let isFirst = true;
    const found = await counted(async (view) => {
      if (isFirst) {
        isFirst = false;
        await endReaders();
      }
      return (await view.items(subject, "number")).find(({ id }) => id === "a")?.body;
    });
    expect(found).toEqual({ value: 6, times: 2 });
  });
});

async function endReaders(): Promise<void> {
  await database.aside.session((connection) =>
    connection.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%FROM item%'`,
    ),
  );
}
