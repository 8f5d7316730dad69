// The cursor survives a round trip, stays small, and contains nothing that has not been written yet.
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cursorOf, HASHED_MAX, ledgerFrom } from "./cursor.ts";
import { addPlace, changesIn, keyOf, type Ledger, type MailFolder, newLedger, settle } from "./ledger.ts";

interface Lying {
  folder: string;
  uid: number;
  id: string;
  date: string;
  flags: number;
  labels: string[];
}

function ledgerOf(mails: readonly Lying[]): Ledger {
  const ledger = newLedger();
  for (const { folder: path, uid, id, date, flags, labels } of mails) {
    const folder: MailFolder = ledger.folders.get(path) ?? {
      path,
      label: path,
      uidValidity: "7",
      uidNext: 0,
      exists: 0,
      places: new Map(),
    };
    ledger.folders.set(path, folder);
    if (folder.places.has(uid)) continue;
    folder.uidNext = Math.max(folder.uidNext, uid + 1);
    folder.exists++;
    const message = addPlace(ledger, folder, { id, date }, { uid, flags, labels });
    message.key = keyOf({ id, date }, message.marked);
    message.at = uid;
  }
  return ledger;
}

const written = (ledger: Ledger): Ledger => {
  for (const message of [...ledger.touched]) settle(ledger, message);
  return ledger;
};

const tableOf = ({ folders }: Ledger) =>
  [...folders.values()].map(({ path, uidValidity, uidNext, exists, places }) => ({
    path,
    uidValidity,
    uidNext,
    exists,
    places: [...places.values()]
      .sort((one, other) => one.uid - other.uid)
      .map(({ uid, flags, labels, message }) => ({
        uid,
        flags,
        labels,
        hash: message.hash,
        marked: message.marked,
        key: message.key,
        shared: message.places.length,
      })),
  }));

const lying = fc.record({
  folder: fc.constantFrom("INBOX", "Archive", "Entwürfe"),
  uid: fc.integer({ min: 1, max: 2 ** 32 - 2 }),
  id: fc.oneof(fc.constantFrom("same@example.com", "other@example.com"), fc.string({ minLength: 1, maxLength: 60 })),
  date: fc.constantFrom("Fri, 1 Mar 2024 10:00:00 +0100", "Sat, 2 Mar 2024 10:00:00 +0100", ""),
  flags: fc.integer({ min: 0, max: 31 }),
  labels: fc.uniqueArray(fc.constantFrom("Travel", "Work", "Späteres"), { maxLength: 3 }),
});

const realistic = (count: number): Lying[] =>
  Array.from({ length: count }, (_, number) => ({
    folder: number % 4 === 0 ? "Archive" : "INBOX",
    uid: number + 1,
    id: `CA${randomBytes(30).toString("base64url")}@mail.gmail.com`,
    date: `Fri, 1 Mar 2024 10:${number % 60}:00 +0100`,
    flags: number % 7 === 0 ? 0 : 1,
    labels: number % 50 === 0 ? ["Travel"] : [],
  }));

describe("the cursor of a mailbox", () => {
  it("is parsed back unchanged", () => {
    fc.assert(
      fc.property(fc.array(lying, { maxLength: 60 }), (mails) => {
        const ledger = written(ledgerOf(mails));
        const cursor = JSON.parse(JSON.stringify(cursorOf(ledger)));
        expect(tableOf(ledgerFrom(cursor))).toEqual(tableOf(ledger));
      }),
      { numRuns: 200 },
    );
  });

  it("omits messages that have not been written yet, so that the next run reads them", () => {
    fc.assert(
      fc.property(fc.array(lying, { maxLength: 40 }), fc.integer({ min: 0, max: 40 }), (mails, some) => {
        const ledger = ledgerOf(mails);
        for (const message of changesIn(ledger).changed.slice(0, some)) settle(ledger, message);
        const left = new Set(ledger.touched);
        const read = tableOf(ledgerFrom(cursorOf(ledger)));
        // A folder with skipped messages is checked again, whatever its counters say.
        for (const { exists, places } of read) expect(exists === -1 || places.length === exists).toBe(true);
        const found = read.reduce((sum, { places }) => sum + places.length, 0);
        const all = [...ledger.folders.values()].flatMap(({ places }) => [...places.values()]);
        expect(found).toBe(all.filter(({ message }) => !left.has(message)).length);
      }),
    );
  });

  it("P-05 stays below 200 KB for 10,000 messages, with the keys of the newest thousand", () => {
    const ledger = written(ledgerOf(realistic(10_000)));
    const cursor = cursorOf(ledger);
    expect(JSON.stringify(cursor).length).toBeLessThan(200_000);
    const places = tableOf(ledgerFrom(cursor)).flatMap((folder) => folder.places);
    expect(places.filter(({ key }) => key !== undefined).length).toBeGreaterThanOrEqual(1000);
    expect(places.filter(({ uid }) => uid > 9000).every(({ key }) => key !== undefined)).toBe(true);
  });

  it("stays below a megabyte for 200,000 messages, with only the folder and UID of the oldest", () => {
    const ledger = written(ledgerOf(realistic(200_000)));
    const cursor = cursorOf(ledger);
    expect(JSON.stringify(cursor).length).toBeLessThan(1_000_000);
    const read = ledgerFrom(cursor);
    const places = [...read.folders.values()].flatMap((folder) => [...folder.places.values()]);
    expect(places).toHaveLength(200_000);
    const named = places.filter(({ message }) => message.hash !== undefined);
    expect(named).toHaveLength(HASHED_MAX);
    expect(Math.min(...named.slice(0, 1000).map(({ uid }) => uid))).toBeGreaterThan(100_000);
    expect(cursorOf(read)).toEqual(cursor);
  });

  it("is ignored if it is invalid, and the mailbox is read again", () => {
    const cursor = cursorOf(written(ledgerOf(realistic(50))));
    for (const wrong of [null, 7, "x", [], {}, { ...cursor, version: 2 }, { ...cursor, messages: "AAAA" }])
      expect(ledgerFrom(wrong).folders.size).toBe(0);
    const { messages } = cursor as { messages: string };
    fc.assert(
      fc.property(fc.nat(messages.length - 2), (end) => {
        expect(() => ledgerFrom({ ...cursor, messages: messages.slice(0, end) })).not.toThrow();
      }),
    );
  });
});
