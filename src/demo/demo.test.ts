// The demo home has the promised size and format, is deterministic, and contains facts that agree across sources.
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoHome } from "../../test/demo-home.ts";
import { IMPORTERS } from "../collect/importers/index.ts";
import type { StreamDeclaration } from "../contract/declaration.ts";
import type { ImportJob } from "../contract/import.ts";
import type { JsonObject } from "../contract/record.ts";
import type { Credential } from "../engine/caller.ts";
import type { EngineHost } from "../engine/host.ts";
import { localHost } from "../engine/local-host.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import { demoExports } from "./demo.ts";
import { demoFacts } from "./facts.ts";
import { demoName } from "./names.fixture.ts";

interface Stored {
  connection: string;
  displayName: string;
  importer: string;
  stream: StreamDeclaration;
  /** Live records by their names in the stories. */
  live: Map<string, JsonObject>;
}

const OWNER: Credential = { home: true };
const exports = demoExports();
let home: string;
let host: EngineHost;
let jobs: ImportJob[];
let stored: Stored[];

beforeAll(async () => {
  home = await demoHome();
  host = localHost(openSqliteStore(home), { home, persist: true });
  const { data: sources } = await host.call("connectors", {}, OWNER);
  const { data: connections } = await host.call("connections", {}, OWNER);
  jobs = (await host.call("imports", {}, OWNER)).data as ImportJob[];
  stored = [];
  for (const { connection_id, display_name, connector_key } of connections) {
    const connection = exports.find((one) => one.display_name === display_name)!.key;
    const { declaration } = sources.find((source) => source.connector_key === connector_key)!;
    const { importer } = jobs.find((job) => job.connection_id === connection_id)!;
    for (const stream of declaration!.streams) {
      const live = new Map<string, JsonObject>();
      for await (const { data } of recordsOf({ stream: stream.name, connection_id }))
        live.set(demoName(connection, stream.name, data), data);
      stored.push({ connection, displayName: display_name, importer, stream, live });
    }
  }
});

afterAll(async () => {
  await host.close();
  rmSync(home, { recursive: true, force: true });
});

async function* recordsOf(place: { stream: string; connection_id: string }) {
  let cursor: string | undefined;
  do {
    const page = await host.call("records", { ...place, limit: 1000, cursor, texts: "full" }, OWNER);
    yield* page.data as { data: JsonObject }[];
    cursor = (page as { next_cursor?: string }).next_cursor;
  } while (cursor !== undefined);
}

function streamOf(connection: string, name: string): Stored {
  return stored.find((each) => each.connection === connection && each.stream.name === name)!;
}

describe("X-10 the demo home", () => {
  it("K-02 consists of export files that the regular importers read without errors", () => {
    expect(jobs).toHaveLength(exports.length);
    for (const { status, progress, name } of jobs)
      expect([name, status, progress.counts.failed]).toEqual([name, "succeeded", 0]);
    const known = new Set(IMPORTERS.map(({ name }) => name));
    for (const { importer } of stored) expect(known).toContain(importer);
  });

  it("has eighteen sources, twenty connections and more than 20,000 records", () => {
    expect(new Set(stored.map(({ importer }) => importer)).size).toBe(18);
    expect(new Set(stored.map(({ connection }) => connection)).size).toBe(20);
    const withMessages = stored.filter(({ stream }) => stream.name === "messages");
    expect(withMessages.map(({ connection }) => connection).sort()).toEqual([
      "mail-personal",
      "mail-work",
      "slack",
      "whatsapp",
    ]);
    const total = stored.reduce((sum, each) => sum + each.live.size, 0);
    expect(total).toBeGreaterThan(20_000);
    expect(total).toBeLessThan(28_000);
  });

  it("is the same on every run", () => {
    expect(digest()).toBe(digest());
  });

  it("has three documents of more than 200 KB, with headings and few repeated sentences", () => {
    const long = [...streamOf("notes", "notes").live].filter(
      ([, note]) => Buffer.byteLength(note.body as string) >= 200 * 1024,
    );
    expect(long.map(([name]) => name).sort()).toEqual(["n-harbour-survey", "n-walk-diary", "n-wren-lab-book"]);
    for (const [, note] of long) {
      const body = note.body as string;
      expect(body.match(/^#{2,4} /gm)!.length).toBeGreaterThan(100);
      const sentences = body.split(/(?<=[.!?]) /);
      expect(new Set(sentences).size / sentences.length).toBeGreaterThan(0.6);
    }
  });

  it("has text in ten scripts and emoji", () => {
    const cards = [...streamOf("notes", "notes").live.values()].filter(({ path }) => /^Postcards\//.test(String(path)));
    const text = cards.map((card) => card.body).join(" ");
    const scripts = "Latin Greek Cyrillic Arabic Hebrew Devanagari Thai Han Hiragana Hangul".split(" ");
    for (const script of scripts) expect(text).toMatch(new RegExp(`\\p{Script=${script}}{2}`, "u"));
    expect(text).toMatch(/\p{Extended_Pictographic}/u);
  });

  it("has files attached to emails and postcards", () => {
    const types = stored.flatMap(({ live }) =>
      [...live.values()].flatMap(({ attachments = [] }) =>
        (attachments as { blob_ref?: JsonObject; blob?: JsonObject }[]).map(
          ({ blob_ref, blob }) => (blob_ref ?? blob)?.mime_type,
        ),
      ),
    );
    expect(types.length).toBeGreaterThan(250);
    expect([...new Set(types)].sort()).toEqual(["application/pdf", "image/png"]);
  });

  it("has photos with time and place, visits, tracks, and measurements over three and a half years", () => {
    const photos = [...streamOf("photos", "photos").live.values()];
    expect(photos.length).toBeGreaterThan(100);
    for (const { taken_at, latitude, longitude, picture } of photos)
      expect([typeof taken_at, typeof latitude, typeof longitude, typeof picture]).toEqual([
        "string",
        "number",
        "number",
        "object",
      ]);
    expect(streamOf("locations", "visits").live.size).toBeGreaterThan(200);
    for (const { path } of streamOf("walks", "tracks").live.values())
      expect(String(path).split("\n").length).toBeGreaterThan(50);
    const types = [...streamOf("health", "records").live.values()].map(({ type }) => type);
    expect([...new Set(types)].sort()).toEqual(["BodyMass", "RestingHeartRate", "StepCount"]);
  });

  it("has only foreign keys that resolve", () => {
    // A comment belongs to an issue or to a pull request, so it is enough if one of the key's target streams has the
    // id.
    const targets = new Map<string, { from: Stored; key: string; to: Stored[] }>();
    for (const one of stored) {
      for (const { stream, cardinality, foreign_key: key } of one.stream.relationships ?? []) {
        const other = streamOf(one.connection, stream);
        const [from, to] = cardinality === "has_one" ? [one, other] : [other, one];
        const name = `${from.connection}/${from.stream.name} ${key}`;
        targets.set(name, { from, key, to: [...(targets.get(name)?.to ?? []), to] });
      }
    }
    for (const [name, { from, key, to }] of targets) {
      const ids = new Set(to.flatMap(({ live }) => [...live.values()].map(({ id }) => id)));
      for (const { [key]: id } of from.live.values())
        if (id !== undefined && id !== null) expect(ids.has(id), `${name} ${id}`).toBe(true);
    }
  });

  it("has bank balances that add up to the cent", () => {
    for (const { key, files } of exports.filter((one) => one.key.startsWith("bank-"))) {
      for (const { path, content } of files()) {
        let before: number | undefined;
        for (const row of String(content).trim().split("\r\n").slice(2)) {
          const [, amount, balance] = /,(-?[\d.]+),EUR,(-?[\d.]+),[^,]*$/.exec(row) ?? [];
          const [change, after] = [amount, balance].map((text) => Math.round(Number(text) * 100)) as [number, number];
          if (before !== undefined) expect(before + change, `${key} ${path}: ${row}`).toBe(after);
          before = after;
        }
      }
    }
  });

  it("has the same dinner in chat, calendar and bank statement", () => {
    const dinners = [...streamOf("calendar", "events").live].filter(([, event]) =>
      /^Dinner with/.test(event.title as string),
    );
    expect(dinners.length).toBeGreaterThan(80);
    for (const [name] of dinners) {
      expect(streamOf("bank-liffey", "transactions").live.has(`pay-${name}`)).toBe(true);
      expect(streamOf("whatsapp", "messages").live.has(`w-${name}-1`)).toBe(true);
    }
  });

  it("has each order in its table, in the mailbox and at the bank, all with the same total", () => {
    const orders = streamOf("orders", "orders").live;
    expect(orders.size).toBeGreaterThan(150);
    for (const [name, order] of orders) {
      const payment =
        streamOf("bank-liffey", "transactions").live.get(`pay-${name}`) ??
        streamOf("bank-canal", "transactions").live.get(`pay-${name}`)!;
      expect(-(payment.amount as number)).toBe(order.total);
      const mail = streamOf("mail-personal", "messages").live.get(`order-${name}-confirmed`)!;
      expect(mail.body).toContain(`Total EUR ${(order.total as number).toFixed(2)}`);
    }
  });

  // Excludes occurrences, because they repeat the titles and places of their events.
  const texts = () => stored.filter(({ stream }) => stream.name !== "occurrences");

  it("has every fact in the records that the fact lists, and in no others", () => {
    const all = texts().flatMap(({ connection, stream, live }) =>
      [...live].map(([name, data]) => ({ where: `${connection}/${stream.name}:${name}`, text: strings(data) })),
    );
    for (const { text, where } of demoFacts) {
      const found = all.filter((each) => each.text.includes(text)).map((each) => each.where);
      expect(found.sort(), text).toEqual([...where].sort());
    }
    expect(demoFacts.length).toBeGreaterThan(70);
  });

  it("has questions whose words are all in the best answer, and in at most one record that is not listed", () => {
    const all = texts().flatMap(({ connection, stream, live }) =>
      [...live].map(([name, data]) => {
        const searched = (stream.query?.search?.lexical_fields ?? []).map((field) =>
          strings(data[field.split(".")[0]!]),
        );
        return { where: `${connection}/${stream.name}:${name}`, words: new Set(wordsOf(searched.join(" "))) };
      }),
    );
    for (const { query, where } of demoFacts) {
      const wanted = wordsOf(query);
      const found = all.filter(({ words }) => wanted.every((word) => words.has(word))).map((each) => each.where);
      expect(found, query).toContain(where[0]);
      expect(found.filter((each) => !where.includes(each)).length, `${query}: ${found}`).toBeLessThanOrEqual(1);
    }
  });

  it("is described by docs/use/demo.md with the correct figures", () => {
    const page = readFileSync(new URL("../../docs/use/demo.md", import.meta.url), "utf8");
    const figure = (value: number, decimals = 0) => value.toLocaleString("en", { minimumFractionDigits: decimals });
    for (const { displayName, importer, stream, live } of stored) {
      if (live.size > 0)
        expect(page).toContain(`| ${displayName} | ${importer} | ${stream.name} | ${figure(live.size)} |`);
    }
    const total = stored.reduce((sum, each) => sum + each.live.size, 0);
    expect(page).toContain(`| **all** | | | **${figure(total)}** |`);

    const dined = [...streamOf("bank-liffey", "transactions").live.values()]
      .filter((payment) => payment.category === "dining" && String(payment.booked_on).startsWith("2025"))
      .reduce((sum, payment) => sum - Math.round((payment.amount as number) * 100), 0);
    expect(page).toContain(`${figure(dined / 100, 2)} euros in restaurants`);
    const heard = [...streamOf("listening", "listens").live.values()].filter(
      ({ artist, ended_at }) =>
        artist === "The Paper Lanterns" && String(ended_at) >= "2025-09-15" && String(ended_at) < "2025-11-01",
    );
    expect(page).toContain(`The Paper Lanterns, ${heard.length} times`);
    const written = [...streamOf("whatsapp", "messages").live.values()].filter(
      (each) => each.sender_name === "Mateus Ferreira",
    );
    expect(page).toContain(`Mateus, ${figure(written.length)} messages`);
    expect(page).toContain(`lists ${demoFacts.length} questions`);
  });
});

/** Returns folded words without English endings. */
function wordsOf(text: string): string[] {
  const words =
    text
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => (word.length > 4 ? word.replace(/(ing|es|s)$/, "") : word));
}

/** Returns all text in a value, as a reader sees it. */
function strings(value: unknown): string {
  if (typeof value === "string") return `${value}\n`;
  return typeof value === "object" && value !== null ? Object.values(value).map(strings).join("") : "";
}

function digest(): string {
  const hash = createHash("sha256");
  for (const { key, files } of demoExports())
    for (const { path, content } of files()) hash.update(`${key}/${path}`).update(content);
  return hash.digest("hex");
}
