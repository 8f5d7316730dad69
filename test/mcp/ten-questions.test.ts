// Ten everyday questions, asked with the five tools on the demo home. The expected answers are read from the demo's
// files.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openParser } from "../../src/collect/parser.ts";
import { runImport } from "../../src/collect/run.ts";
import { demoExports } from "../../src/demo/demo.ts";
import { localHost } from "../../src/engine/local-host.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { demoHome } from "../demo-home.ts";
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { callTool, type Result } from "../mcp.ts";

/** The maximum number of calls, and of bytes of text and data, for each question after the first schema(). */
const CALLS = 3;
const BYTES = 8_192;

let server: TestServer;
let token: string;
let schema: Loose;
let used: { calls: number; bytes: number };

beforeAll(async () => {
  const home = await demoHome();
  await importLater(home);
  server = await testServer({ lent: home });
  token = (await server.grant({ all: true })).access_token;
  schema = (await callTool(server.url, token, "schema", {})).structuredContent.data;
});
afterAll(() => server.close());

const DAY = 86_400_000;
/**
 * The demo home was filled just now. The exports below are imported with a clock four days ahead, so they are new since
 * this Monday.
 */
const MONDAY = new Date(Date.now() + 2 * DAY).toISOString().slice(0, 10);
const LATER_EXPORTS: Record<string, [file: string, content: string]> = {
  "Old calendar": [
    "work.ics",
    calendarFile(
      ["planning", "Planning meeting: harbour hall", "20081014T093000Z", "Room 4"],
      ["planning-2", "Planning meeting: next year", "20081118T093000Z", "Room 2"],
    ),
  ],
  "Holiday mail": ["holiday.mbox", ["Ferry tickets", "Cabin keys"].map(mailFile).join("\n")],
};

function calendarFile(...events: [uid: string, summary: string, start: string, place: string][]): string {
  const lines = events.flatMap(([uid, summary, start, place]) => [
    "BEGIN:VEVENT",
    `UID:${uid}`,
    `SUMMARY:${summary}`,
    `DTSTART:${start}`,
    `LOCATION:${place}`,
    "LAST-MODIFIED:20260603T120000Z",
    "END:VEVENT",
  ]);
  return ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//old//EN", ...lines, "END:VCALENDAR", ""].join("\r\n");
}

function mailFile(subject: string, index: number): string {
  return [
    "From ferry@example.org Mon Jun  1 10:00:00 2026",
    "From: Ferry desk <ferry@example.org>",
    "To: Nora Keane <nora@example.com>",
    `Subject: ${subject}`,
    `Date: Mon, 1 Jun 2026 10:0${index}:00 +0000`,
    `Message-ID: <later-${index}@example.org>`,
    "",
    "As agreed.",
    "",
  ].join("\n");
}

async function importLater(home: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "later-"));
  const now = () => Date.now() + 4 * DAY;
  const host = localHost(openSqliteStore(home), { home, persist: true, now });
  for (const [as, [file, content]] of Object.entries(LATER_EXPORTS)) {
    writeFileSync(join(folder, file), content);
    const parser = openParser({ home, given: [join(folder, file)] });
    for (const group of (await parser.plan({})).groups) {
      const job = await runImport({ host, credential: { home: true }, parser, answers: {}, as }, group);
      expect(job.status, JSON.stringify(job)).toBe("succeeded");
    }
    await parser.close();
  }
  await host.close();
  rmSync(folder, { recursive: true, force: true });
}

async function ask(tool: string, args: object): Promise<Result> {
  const result = await callTool(server.url, token, tool, args);
  expect(result.isError, result.text).toBeUndefined();
  used.calls++;
  used.bytes +=
    Buffer.byteLength(JSON.stringify(result.content)) + Buffer.byteLength(JSON.stringify(result.structuredContent));
  return result;
}

const question = (words: string, answer: () => Promise<void>): void =>
  test(words, async () => {
    used = { calls: 0, bytes: 0 };
    await answer();
    expect(used.calls, "calls").toBeLessThanOrEqual(CALLS);
    expect(used.bytes, "bytes").toBeLessThanOrEqual(BYTES);
  });

/** Returns the connection that schema() lists under this name. */
const connection = (name: string): string =>
  schema.connectors
    .flatMap((row: Loose) => Object.entries(row.connections))
    .find(([, label]: [string, string]) => label === name)[0];

const filesOf = (...keys: string[]): string[] =>
  demoExports()
    .filter(({ key }) => keys.includes(key))
    .flatMap(({ files }) => [...files()].map(({ content }) => String(content)));

interface Booking {
  Date: string;
  Payee: string;
  Category: string;
  Amount: string;
}
const bookings = (): Booking[] =>
  filesOf("bank-liffey", "bank-canal").flatMap((text) => parse(text, { from_line: 2, columns: true }) as Booking[]);

const centsOf = ({ Amount }: Booking): number => Math.round(Number(Amount) * 100);

/** Returns the blocks of a calendar file, with folded lines joined. */
const blocks = (name: "VEVENT" | "VTODO"): string[] =>
  filesOf("calendar").flatMap(
    (text) => text.replaceAll("\r\n ", "").match(new RegExp(`BEGIN:${name}[\\s\\S]*?END:${name}`, "g")) ?? [],
  );
const propertyIn = (block: string, property: string): string =>
  new RegExp(`^${property}[^:\\r\\n]*:(.*)$`, "m").exec(block)?.[1]?.trim() ?? "";

/** Returns the headers of every message in these mailboxes. */
const mailHeads = (...keys: string[]): string[] =>
  filesOf(...keys).flatMap((text) =>
    text.split(/^(?=From \S+ \w{3} \w{3} )/m).map((mail) => mail.slice(0, mail.indexOf("\n\n"))),
  );

const counts = (keys: readonly string[]): Record<string, number> => {
  const found: Record<string, number> = {};
  for (const key of keys) found[key] = (found[key] ?? 0) + 1;
  return found;
};
const groupsOf = ({ structuredContent }: Result): Loose[] => structuredContent.data.groups;

describe("K-05 K-06 ten questions on the demo home are answered in at most 3 calls and 8 KB each", () => {
  question("1 K-05 groceries per month, over all banks", async () => {
    const answer = await ask("aggregate", {
      stream: "transactions",
      connection_id: "all",
      metric: "sum",
      field: "amount",
      filter: { category: "groceries" },
      group_by_time: "booked_on",
      granularity: "month",
      order_by: "key",
      limit: 100,
    });
    const expected = new Map<string, number>();
    for (const row of bookings().filter(({ Category }) => Category === "groceries"))
      expected.set(row.Date.slice(0, 7), (expected.get(row.Date.slice(0, 7)) ?? 0) + centsOf(row));
    const found = groupsOf(answer).map(({ key, value }) => [key, Math.round(value * 100)]);
    expect(found).toEqual([...expected].sort());
    expect(answer.structuredContent.data.currency).toBe("EUR");
  });

  question("2 K-04 K-06 who did I write to most in 2025", async () => {
    const { addresses } = schema.me;
    const found: Record<string, number> = {};
    for (const name of ["Personal mail", "Work mail"]) {
      const answer = await ask("aggregate", {
        stream: "messages",
        connection_id: connection(name),
        metric: "count",
        filter: { from_address: { in: addresses }, sent_at: { gte: "2025-01-01", lt: "2026-01-01" } },
        group_by: "to.address",
        limit: 5,
      });
      for (const { key, count } of groupsOf(answer)) found[key] = (found[key] ?? 0) + count;
    }
    const sent = mailHeads("mail-personal", "mail-work").filter(
      (head) => /^From: Nora Keane/m.test(head) && /^Date: .* 2025 /m.test(head),
    );
    const expected = counts(
      sent.flatMap((head) => [.../^To: (.*)$/m.exec(head)![1]!.matchAll(/<([^>]+)>/g)].map((one) => one[1]!)),
    );
    const [most] = Object.entries(expected).sort(([, one], [, other]) => other - one);
    const [first] = Object.entries(found).sort(([, one], [, other]) => other - one);
    expect(first).toEqual(most);
    expect(Object.keys(found).length).toBeGreaterThan(5);
  });

  question("3 K-04 all meetings with one person", async () => {
    const who = { "attendees.name": { contains: "Oisín Doyle" } };
    const answer = await ask("query_records", {
      stream: "events",
      connection_id: "all",
      filter: who,
      fields: ["title", "starts_at"],
      sort: "-starts_at",
      limit: 20,
      count: "exact",
    });
    const expected = blocks("VEVENT").filter((block) => block.includes('ATTENDEE;CN="Oisín Doyle"'));
    expect(answer.structuredContent.count.value).toBe(expected.length);
    const newest = expected
      .map((block) => propertyIn(block, "DTSTART"))
      .sort()
      .at(-1)!;
    const shown = JSON.stringify(answer.structuredContent.data);
    expect(shown).toContain(`${newest.slice(0, 4)}-${newest.slice(4, 6)}-${newest.slice(6, 8)}`);
  });

  question("4 K-03 all unread emails, by sender", async () => {
    let unread = 0;
    const senders: Record<string, number> = {};
    for (const name of ["Personal mail", "Work mail"]) {
      const answer = await ask("aggregate", {
        stream: "messages",
        connection_id: connection(name),
        metric: "count",
        filter: { unread: true },
        group_by: "from_name",
        limit: 50,
      });
      unread += answer.structuredContent.data.filtered_record_count;
      for (const { key, count } of groupsOf(answer)) senders[key] = (senders[key] ?? 0) + count;
    }
    const heads = mailHeads("mail-personal", "mail-work").filter((head) => /^Status: O$/m.test(head));
    expect(unread).toBe(heads.length);
    const birds = heads.filter((head) => /^From: "?Bird/m.test(head)).length;
    expect(Object.entries(senders).find(([sender]) => sender.startsWith("Bird"))?.[1] ?? 0).toBe(birds);
  });

  question("5 K-03 overdue tasks", async () => {
    const answer = await ask("query_records", {
      stream: "tasks",
      connection_id: "all",
      filter: { done: false, due_on: { lt: "2026-06-30" } },
      fields: ["title", "due_on"],
      sort: "due_on",
      limit: 20,
      count: "exact",
    });
    const expected = blocks("VTODO").filter(
      (block) =>
        propertyIn(block, "STATUS") !== "COMPLETED" &&
        propertyIn(block, "DUE") !== "" &&
        propertyIn(block, "DUE") < "20260630",
    );
    expect(answer.structuredContent.count.value).toBe(expected.length);
    expect(expected.length).toBeGreaterThan(0);
    const oldest = expected.sort((one, other) => propertyIn(one, "DUE").localeCompare(propertyIn(other, "DUE")))[0]!;
    expect(answer.text).toContain(propertyIn(oldest, "SUMMARY").replaceAll("\\,", ","));
  });

  question("6 K-07 what is new since Monday, in any source", async () => {
    const answer = await ask("query_records", { stream: "all", changes_since: MONDAY, limit: 25 });
    const found: Loose[] = answer.structuredContent.data;
    const named = counts(found.map(({ display_name, id }) => `${display_name}/${/^[^/]+\/(\w+):/.exec(id)?.[1]}`));
    expect(named).toEqual({ "Old calendar/events": 2, "Old calendar/occurrences": 2, "Holiday mail/messages": 2 });
    for (const words of ["Ferry tickets", "Cabin keys", "Planning meeting"]) expect(answer.text).toContain(words);
  });

  question("7 K-05 K-09 the biggest expenses", async () => {
    const answer = await ask("query_records", {
      stream: "transactions",
      connection_id: "all",
      sort: "amount",
      fields: ["amount", "counterparty"],
      limit: 5,
    });
    const expected = bookings()
      .sort((one, other) => centsOf(one) - centsOf(other))
      .slice(0, 5);
    expect(amountsIn(answer)).toEqual(expected.map(({ Amount }) => Number(Amount)));
    const payees = await ask("aggregate", {
      stream: "transactions",
      connection_id: "all",
      metric: "sum",
      field: "amount",
      group_by: "counterparty",
      order_by: "value",
      limit: 1,
    });
    const sums = new Map<string, number>();
    for (const row of bookings()) sums.set(row.Payee, (sums.get(row.Payee) ?? 0) + centsOf(row));
    const [most] = [...sums].sort(([, one], [, other]) => one - other);
    const [group] = groupsOf(payees);
    expect([group.key, Math.round(group.value * 100)]).toEqual(most);
  });

  question(
    "8 K-01 the planning meeting of October 2008, in a calendar that was imported and changed later",
    async () => {
      const { structuredContent } = await ask("search", {
        query: "planning meeting after:2008-10-01 before:2008-11-01",
        streams: ["events"],
      });
      const [hit, ...others] = structuredContent.results;
      expect([hit.title, others]).toEqual(["Planning meeting: harbour hall", []]);
      const event = await ask("fetch", { id: hit.id });
      for (const words of ["2008-10-14T09:30", "Room 4"]) expect(event.text).toContain(words);
    },
  );

  question("9 K-01 who is this contact: titled by the name, not by the job", async () => {
    const found = await ask("search", { query: "conservator museum", streams: ["contacts"] });
    const [hit] = found.structuredContent.results;
    expect(hit.title).toBe("Mateus Ferreira");
    const card = await ask("fetch", { id: hit.id });
    const [file] = filesOf("contacts");
    const own = file!
      .match(/BEGIN:VCARD[\s\S]*?END:VCARD/g)!
      .find((block) => propertyIn(block, "FN") === "Mateus Ferreira")!;
    for (const property of ["EMAIL", "TEL", "BDAY"]) expect(card.text).toContain(propertyIn(own, property));
  });

  question("10 K-10 the paragraph about reverberation after page 10 of a survey of 211 KB", async () => {
    const found = await ask("search", { query: "acoustic survey complete edition", streams: ["notes"], limit: 1 });
    const [hit] = found.structuredContent.results;
    expect(hit.title).toBe("Harbour Hall: acoustic survey, complete edition");
    const [, at, id] = /^(.+)\/notes:(.+)$/.exec(hit.id)!;
    const start = 25_000;
    const window = await ask("fetch", {
      id: `pdpp://field-window/${at}/notes/${id}?field=body&offset=${start}&q=reverberation&limit=600`,
    });
    const body = filesOf("notes")
      .find((text) => text.includes(hit.title))!
      .split("\n---\n", 2)[1]!;
    const next = start + body.slice(start).search(/reverberation/i);
    const { metadata } = window.structuredContent;
    expect(metadata.match_start_chars).toBe(next);
    const after = await ask("fetch", { id: metadata.next_id });
    expect(after.structuredContent.text.slice(0, 100)).toBe(body.slice(metadata.end_chars, metadata.end_chars + 100));
  });
});

function amountsIn({ structuredContent }: Result): number[] {
  const { columns, rows, data } = structuredContent;
  if (columns !== undefined) return rows.map((row: Loose[]) => row[columns.indexOf("amount")]);
  return data.map((record: Loose) => (record.data ?? record).amount);
}
