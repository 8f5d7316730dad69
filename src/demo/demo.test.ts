// The demo home keeps its promises: size, shape, determinism, and facts that agree across sources.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { type SourceDeclaration, type StreamDeclaration, sourceDeclaration } from "../contract/declaration.ts";
import { canonicalKey } from "../contract/key.ts";
import type { JsonObject, RecordInput } from "../contract/record.ts";
import { fieldsOf } from "../core/fields.ts";
import { parseDay, parseInstant } from "../core/instant.ts";
import { demoWorld } from "./demo.ts";
import { demoFacts } from "./facts.ts";

interface Stored {
  connection: string;
  stream: StreamDeclaration;
  lines: RecordInput[];
  /** What is left after updates and deletions. */
  live: Map<string, JsonObject>;
}

const world = demoWorld();
const stored: Stored[] = world.connections.flatMap((connection) =>
  connection.streams.map((stream) => {
    const lines = [...stream.batches()].flat();
    const live = new Map<string, JsonObject>();
    for (const line of lines) {
      if (line.op === "delete") live.delete(canonicalKey(line.key));
      else live.set(canonicalKey(line.key), line.data!);
    }
    return { connection: connection.key, stream: declared(connection.declaration, stream.name), lines, live };
  }),
);

function declared(declaration: SourceDeclaration, name: string): StreamDeclaration {
  return declaration.streams.find((stream) => stream.name === name)!;
}

function streamOf(connection: string, name: string): Stored {
  return stored.find((each) => each.connection === connection && each.stream.name === name)!;
}

describe("X-10 the demo home", () => {
  it("has eleven sources, thirteen connections and more than 20,000 records", () => {
    expect(world.sources.map((source) => source.connector_key)).toHaveLength(11);
    expect(new Set(world.sources.map((source) => source.declaration.source.id)).size).toBe(11);
    expect(new Set(world.connections.map((connection) => connection.key)).size).toBe(13);
    expect(world.connections.filter((connection) => connection.connector_key === "mail")).toHaveLength(2);
    expect(world.connections.filter((connection) => connection.connector_key === "bank")).toHaveLength(2);
    const withMessages = world.sources.filter(({ declaration }) => declared(declaration, "messages"));
    expect(withMessages.map((source) => source.connector_key)).toEqual(["mail", "whatsapp", "slack"]);
    const total = stored.reduce((sum, each) => sum + each.live.size, 0);
    expect(total).toBeGreaterThan(22_000);
    expect(total).toBeLessThan(28_000);
  });

  it("is the same on every run", () => {
    expect(digest()).toBe(digest());
  });

  it("has declarations that the contract accepts, and every declared name is a field", () => {
    for (const { declaration } of world.sources) {
      expect(sourceDeclaration.parse(declaration)).toEqual(declaration);
      for (const stream of declaration.streams) {
        const fields = fieldsOf(stream);
        const { range_filters = {}, search, aggregations = {} } = stream.query ?? {};
        const { count: _count, ...lists } = aggregations;
        const structural = [...stream.primary_key, stream.cursor_field, stream.consent_time_field].filter(Boolean);
        const comparable = [...structural, ...Object.keys(range_filters), ...Object.values(lists).flat()];
        for (const name of comparable) expect(fields.get(name!)?.column, `${stream.name}.${name}`).toBeDefined();
        for (const name of [...(search?.lexical_fields ?? []), ...(stream.views ?? []).flatMap((view) => view.fields)])
          expect(fields.has(name), `${stream.name}.${name}`).toBe(true);
        for (const { name } of stream.query?.expand ?? [])
          expect(stream.relationships?.some((relation) => relation.name === name)).toBe(true);
        for (const property of Object.values(stream.schema.properties!)) {
          expect(property.title).toBeTypeOf("string");
          expect(property.description).toBeTypeOf("string");
        }
      }
    }
  });

  it("declares exactly the streams that its connections fill", () => {
    for (const connection of world.connections) {
      const names = connection.declaration.streams.map((stream) => stream.name);
      expect(connection.streams.map((stream) => stream.name).sort()).toEqual(names.sort());
    }
  });

  it("has records that satisfy their own schema and key, in the order they were emitted", () => {
    const ajv = new Ajv2020({ allErrors: true, strict: false });
    ajv.addFormat("date-time", (text: string) => parseInstant(text) !== undefined);
    ajv.addFormat("date", (text: string) => parseDay(text) !== undefined);
    const emitted = new Set<string>();
    for (const { connection, stream, lines } of stored) {
      const validate = ajv.compile(stream.schema);
      const known = new Set<string>();
      for (const line of lines) {
        const key = canonicalKey(line.key);
        emitted.add(line.emitted_at);
        if (line.op === "delete") {
          expect(known.delete(key), `${connection}/${stream.name}:${key} is deleted before it exists`).toBe(true);
          continue;
        }
        if (stream.semantics === "append_only") expect(known.has(key), `${stream.name}:${key} comes twice`).toBe(false);
        known.add(key);
        if (!validate(line.data)) expect.fail(`${connection}/${stream.name}:${key} ${ajv.errorsText(validate.errors)}`);
        expect(canonicalKey(stream.primary_key.map((field) => String(line.data![field])))).toBe(key);
      }
    }
    // One time for all, which tells of no record when it was made (G-02).
    expect([...emitted]).toEqual(["2026-06-30T22:59:57Z"]);
  });

  it("has three documents of more than 200 KB, each with headings and hardly a repeated sentence", () => {
    const long = [...streamOf("notes", "notes").live.values()].filter(
      (note) => Buffer.byteLength(note.body as string) >= 200 * 1024,
    );
    expect(long.map((note) => note.id).sort()).toEqual(["n-harbour-survey", "n-walk-diary", "n-wren-lab-book"]);
    for (const note of long) {
      const body = note.body as string;
      expect(body.match(/^#{2,4} /gm)!.length).toBeGreaterThan(100);
      const sentences = body.split(/(?<=[.!?]) /);
      expect(new Set(sentences).size / sentences.length).toBeGreaterThan(0.6);
    }
  });

  it("writes in ten scripts and in emoji", () => {
    const text = [...streamOf("journal", "postcards").live.values()].map((card) => card.text).join(" ");
    const scripts = "Latin Greek Cyrillic Arabic Hebrew Devanagari Thai Han Hiragana Hangul".split(" ");
    for (const script of scripts) expect(text).toMatch(new RegExp(`\\p{Script=${script}}{2}`, "u"));
    expect(text).toMatch(/\p{Extended_Pictographic}/u);
  });

  it("has updates and deletions in a mutable stream", () => {
    const { lines, live } = streamOf("tasks", "tasks");
    const deleted = lines.filter((line) => line.op === "delete");
    expect(deleted.length).toBeGreaterThan(30);
    expect(lines.length - deleted.length).toBeGreaterThan(live.size + deleted.length);
    expect(live.has("k-learn-harp")).toBe(false);
    expect(lines.some((line) => line.key === "k-learn-harp" && line.data !== undefined)).toBe(true);
  });

  it("has blobs whose digests and sizes are right, and which records refer to", () => {
    const kinds = new Set<string>();
    let count = 0;
    for (const connection of world.connections) {
      for (const stream of connection.streams) {
        const { live } = streamOf(connection.key, stream.name);
        for (const { record_key, ref, bytes } of stream.blobs()) {
          count++;
          kinds.add(ref.mime_type);
          const hash = createHash("sha256").update(bytes).digest();
          expect(ref).toMatchObject({ sha256: hash.toString("hex"), size_bytes: bytes.length });
          expect(ref.blob_id).toBe(`blob_${hash.toString("base64url")}`);
          expect(Object.values(live.get(record_key)!)).toContainEqual(ref);
        }
      }
    }
    expect(count).toBeGreaterThan(400);
    expect([...kinds].sort()).toEqual(["application/pdf", "image/png", "image/svg+xml", "text/plain"]);
  });

  it("has pictures that are whole PNG files", () => {
    const journal = world.connections.find((connection) => connection.key === "journal")!;
    const [picture] = [...journal.streams.find((stream) => stream.name === "postcards")!.blobs()];
    const bytes = Buffer.from(picture!.bytes);
    expect(bytes.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
    const length = bytes.readUInt32BE(33);
    expect(bytes.subarray(37, 41).toString("latin1")).toBe("IDAT");
    expect(inflateSync(bytes.subarray(41, 41 + length))).toHaveLength((96 * 3 + 1) * 64);
  });

  it("has foreign keys that resolve", () => {
    for (const { connection, stream, live } of stored) {
      for (const relation of stream.relationships ?? []) {
        const other = streamOf(connection, relation.stream);
        const [from, to] = relation.cardinality === "has_one" ? [live, other.live] : [other.live, live];
        for (const data of from.values()) {
          const id = data[relation.foreign_key];
          if (id !== null) expect(to.has(String(id)), `${connection}/${stream.name} ${relation.name} ${id}`).toBe(true);
        }
      }
    }
  });

  it("counts what it says it counts", () => {
    for (const [connection, parent, child, key] of [
      ["mail-personal", "threads", "messages", "thread_id"],
      ["mail-work", "threads", "messages", "thread_id"],
      ["whatsapp", "conversations", "messages", "conversation_id"],
      ["slack", "conversations", "messages", "conversation_id"],
    ] as const) {
      const counts = new Map<string, number>();
      for (const data of streamOf(connection, child).live.values())
        counts.set(data[key] as string, (counts.get(data[key] as string) ?? 0) + 1);
      for (const [id, data] of streamOf(connection, parent).live) expect(data.message_count).toBe(counts.get(id));
    }
  });

  it("has bank balances that add up, to the cent", () => {
    for (const connection of ["bank-liffey", "bank-canal"]) {
      const balances = new Map<string, number>();
      for (const { data } of streamOf(connection, "transactions").lines) {
        const { account, amount, balance } = data as { account: string; amount: number; balance: number };
        const before = balances.get(account);
        if (before !== undefined) expect(Math.round((before + amount) * 100)).toBe(Math.round(balance * 100));
        expect(Math.round(amount * 100) / 100).toBe(amount);
        balances.set(account, balance);
      }
    }
  });

  it("tells the same dinner in chat, calendar, bank and receipts", () => {
    const dinners = [...streamOf("calendar", "events").live.values()].filter((event) =>
      /^Dinner with/.test(event.title as string),
    );
    expect(dinners.length).toBeGreaterThan(80);
    for (const { id } of dinners) {
      const paid = streamOf("bank-liffey", "transactions").live.get(`pay-${id}`)!;
      const receipt = streamOf("shopping", "receipts").live.get(`rc-${id}`)!;
      expect(-(paid.amount as number)).toBe(receipt.total);
      expect(streamOf("whatsapp", "messages").live.has(`w-${id}-1`)).toBe(true);
    }
  });

  it("has each order in shop, mailbox and bank with one total", () => {
    const orders = streamOf("shopping", "orders").live;
    for (const [id, order] of orders) {
      const payment =
        streamOf("bank-liffey", "transactions").live.get(`pay-${id}`) ??
        streamOf("bank-canal", "transactions").live.get(`pay-${id}`)!;
      expect(-(payment.amount as number)).toBe(order.total);
      const mail = streamOf("mail-personal", "messages").live.get(`order-${id}-confirmed`)!;
      expect(mail.body).toContain(`Total EUR ${(order.total as number).toFixed(2)}`);
    }
  });

  it("holds every fact in the records it names and in no other", () => {
    const texts = stored.flatMap(({ connection, stream, live }) =>
      [...live].map(([id, data]) => ({ where: `${connection}/${stream.name}:${id}`, text: strings(data) })),
    );
    for (const { text, where } of demoFacts) {
      const found = texts.filter((each) => each.text.includes(text)).map((each) => each.where);
      expect(found.sort(), text).toEqual([...where].sort());
    }
    expect(demoFacts.length).toBeGreaterThan(70);
  });

  it("has questions whose every word stands in the best answer, and in at most one record besides the named", () => {
    const texts = stored.flatMap(({ connection, stream, live }) =>
      [...live].map(([id, data]) => {
        const searched = (stream.query?.search?.lexical_fields ?? []).map((field) => data[field]);
        return { where: `${connection}/${stream.name}:${id}`, words: new Set(wordsOf(searched.join(" "))) };
      }),
    );
    for (const { query, where } of demoFacts) {
      const wanted = wordsOf(query);
      const found = texts.filter(({ words }) => wanted.every((word) => words.has(word))).map((each) => each.where);
      expect(found, query).toContain(where[0]);
      expect(found.filter((each) => !where.includes(each)).length, `${query}: ${found}`).toBeLessThanOrEqual(1);
    }
  });

  it("is described by docs/demo.md with the right figures", () => {
    const page = readFileSync(new URL("../../docs/demo.md", import.meta.url), "utf8");
    const figure = (value: number, decimals = 0) => value.toLocaleString("en", { minimumFractionDigits: decimals });
    for (const { connection, stream, live } of stored) {
      const { display_name, connector_key } = world.connections.find((each) => each.key === connection)!;
      expect(page).toContain(`| ${display_name} | ${connector_key} | ${stream.name} | ${figure(live.size)} |`);
    }
    const total = stored.reduce((sum, each) => sum + each.live.size, 0);
    expect(page).toContain(`| **all** | | | **${figure(total)}** |`);

    const dined = [...streamOf("bank-liffey", "transactions").live.values()]
      .filter((payment) => payment.category === "dining" && String(payment.booked_at).startsWith("2025"))
      .reduce((sum, payment) => sum - Math.round((payment.amount as number) * 100), 0);
    expect(page).toContain(`${figure(dined / 100, 2)} euro in restaurants`);
    const heard = [...streamOf("listening", "plays").live.values()].filter(
      ({ artist, played_at }) =>
        artist === "The Paper Lanterns" && String(played_at) >= "2025-09-15" && String(played_at) < "2025-11-01",
    );
    expect(page).toContain(`The Paper Lanterns, ${heard.length} times`);
    const written = [...streamOf("whatsapp", "messages").live.values()].filter((each) => each.sender_id === "mateus");
    expect(page).toContain(`Mateus, ${figure(written.length)} messages`);
    expect(page).toContain(`lists ${demoFacts.length} questions`);
  });
});

/** Folded words, without the endings that English adds. */
function wordsOf(text: string): string[] {
  const words =
    text
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => (word.length > 4 ? word.replace(/(ing|es|s)$/, "") : word));
}

/** All text of a record, as a reader sees it. */
function strings(value: unknown): string {
  if (typeof value === "string") return `${value}\n`;
  return typeof value === "object" && value !== null ? Object.values(value).map(strings).join("") : "";
}

function digest(): string {
  const hash = createHash("sha256");
  for (const connection of demoWorld().connections)
    for (const stream of connection.streams) {
      for (const batch of stream.batches()) hash.update(JSON.stringify(batch));
      for (const { ref } of stream.blobs()) hash.update(ref.sha256);
    }
  return hash.digest("hex");
}
