// Ids that importers create, as apps see them: useless for guessing hidden data, and stable across another import, a backup and a salvage.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { importWorld } from "../src/collect/import.fixture.ts";
import { digestOf } from "../src/collect/importers/replay.ts";
import { shellDeclaration } from "../src/collect/importers/shell/declaration.ts";
import { backupHome } from "../src/engine/backup/backup.ts";
import { restoreHome } from "../src/engine/backup/restore.ts";
import { openHome } from "../src/engine/home.ts";
import { salvageHome } from "../src/engine/salvage.ts";
import { defineSums, sumOf } from "../src/store/sqlite/row-sums.ts";

const CHAT = "13/02/2026, 09:00 - Ann: My PIN is 4711\n13/02/2026, 09:01 - Ben: thanks\n";
const CHAT_FILE = "WhatsApp Chat with Ann.txt";

describe("G-01 an app that sees only ids", () => {
  let world: ReturnType<typeof importWorld>;
  beforeEach(() => {
    world = importWorld();
  });
  afterEach(() => world.close());

  /** Returns the ids that an app sees if it may read only the field `id`. */
  async function idsFor(connection_id: string, stream: string): Promise<string[]> {
    const { access_token: token } = await world.ask<{ access_token: string }>("issueGrant", {
      selections: [{ connection_id, stream, fields: ["id"] }],
    });
    const page = await world.host.call("records", { stream }, { token });
    return page.data.map(({ id }) => id);
  }

  test("cannot find a hidden message by trying every possible text", async () => {
    world.put(CHAT_FILE, CHAT);
    const [job] = (await world.bring([CHAT_FILE], { real: true, answers: { time_zone: "UTC" } })).jobs;
    const seen = new Set(await idsFor(job!.connection_id, "messages"));
    expect(seen.size).toBe(2);
    const chat = digestOf("chat", "ann");
    for (let pin = 0; pin < 10_000; pin++) {
      const text = `My PIN is ${String(pin).padStart(4, "0")}`;
      const guess = digestOf(chat, "2026-02-13T09:00:00.000Z", "Ann", text, "message");
      expect(seen.has(guess), text).toBe(false);
    }
  });

  test("sees the same ids after another import, and different ids in another connection", async () => {
    world.put("history/.bash_history", "ls -la\ngit status\n");
    const first = await world.one(["history"], { real: true });
    const ids = await idsFor(first.connection_id, "commands");
    const again = await world.one(["history"], { real: true });
    expect(again.progress.counts).toMatchObject({ imported: 0, changed: 0, unchanged: 2 });
    expect(await idsFor(first.connection_id, "commands")).toEqual(ids);
    const other = await world.one(["history"], { real: true, as: "Another" });
    const others = await idsFor(other.connection_id, "commands");
    expect([others.length, others.filter((id) => ids.includes(id))]).toEqual([2, []]);
  });

  test("sees the old ids, including digests, in a connection older than the keys", async () => {
    await world.ask("putConnector", { connector_key: "shell", declaration: shellDeclaration });
    const { connection_id } = await world.ask<{ connection_id: string }>("importTarget", {
      connector_key: "shell",
      account: { key: "shell", name: "Shell" },
    });
    // Marks the connection as the migration does.
    const database = new DatabaseSync(join(world.home, "records.db"));
    defineSums(database);
    const body = `'{"key":null}'`;
    database.exec(`UPDATE item SET body = ${body}, sum = ${sumOf("item", { body })} WHERE kind = 'id_key'`);
    database.close();
    world.put("history/.bash_history", "ls -la\n");
    const job = await world.one(["history"], { real: true });
    expect(job.connection_id).toBe(connection_id);
    expect(await idsFor(connection_id, "commands")).toEqual([`${digestOf("", "ls -la")}.0`]);
  });

  test.each(["backup", "salvage"])("sees the same ids after a %s and another import", async (way) => {
    world.put("history/.bash_history", "ls -la\ngit status\n");
    const { connection_id } = await world.one(["history"], { real: true });
    const ids = await idsFor(connection_id, "commands");
    const copy = join(world.home, "../copy");
    if (way === "salvage") {
      cpSync(world.home, join(world.home, "../damaged"), { recursive: true });
      await salvageHome({ home: join(world.home, "../damaged"), directory: copy });
    } else {
      await backupHome({ home: world.home, directory: join(world.home, "../backup") });
      await restoreHome({ directory: join(world.home, "../backup"), home: copy, moveAside: false });
    }
    const host = openHome(copy, { note: () => undefined });
    try {
      const again = await world.one(["history"], { real: true, host });
      expect(again.progress.counts).toMatchObject({ imported: 0, changed: 0, unchanged: 2 });
      const page = await host.call("records", { stream: "commands" }, { home: true });
      expect(page.data.map(({ id }) => id).sort()).toEqual(ids.sort());
    } finally {
      await host.close();
    }
  });

  test("finds neither hidden columns nor other tables in a table's source names", async () => {
    world.put("salaries.csv", "id,amount\n1,10\n");
    world.put("orders.csv", "id,total,diagnosis\n1,10,x\n2,20,y\n");
    await world.one(["salaries.csv"], { real: true });
    const { planned, jobs } = await world.bring(["orders.csv"], { real: true });
    const { connection_id, connector_key } = jobs[0]!;
    expect(connector_key).toMatch(/^orders-[0-9a-f]{8}$/);
    // Anyone can compute this from the names of all columns.
    const guess = planned.groups[0]!.declaration.source.id;
    const { access_token: token } = await world.ask<{ access_token: string }>("issueGrant", {
      selections: [{ connection_id, stream: "orders", fields: ["id", "total"] }],
    });
    const seen = await world.host.callText("schema", { stream: "orders" }, { token });
    expect([seen.includes("/tables/orders-"), seen.includes(guess)]).toEqual([true, false]);
    const again = await world.one(["orders.csv"], { real: true });
    expect([again.connection_id, again.progress.counts.unchanged]).toEqual([connection_id, 2]);
  });

  test("sees the old id if a table's source is older than its key", async () => {
    world.put("orders.csv", "id,total\n1,10\n");
    const before = importWorld();
    try {
      before.put("orders.csv", "id,total\n1,10\n");
      const { planned } = await before.bring(["orders.csv"], { real: true });
      await world.ask("putConnector", { connector_key: "tables", declaration: planned.groups[0]!.declaration });
    } finally {
      await before.close();
    }
    expect(await world.one(["orders.csv"], { real: true })).toMatchObject({ connector_key: "tables" });
  });

  test("never gets the key, nor does the owner", async () => {
    world.put("history/.bash_history", "ls -la\n");
    const { connection_id } = await world.one(["history"], { real: true });
    const database = new DatabaseSync(join(world.home, "records.db"), { readOnly: true });
    const row = database.prepare("SELECT body FROM item WHERE kind = 'id_key' AND id = ?").get(connection_id);
    database.close();
    const { key } = JSON.parse(row!.body as string) as { key: string };
    expect(Buffer.from(key, "base64url").length).toBe(32);
    const answers: string[] = await Promise.all(
      (["connections", "connectors", "imports", "streams", "activity"] as const).map((name) =>
        world.host.callText(name, {}, { home: true }),
      ),
    );
    answers.push(await world.host.callText("state", { connector: "shell" }, { home: true }));
    expect(answers.filter((text) => text.includes(key))).toEqual([]);
  });
});
