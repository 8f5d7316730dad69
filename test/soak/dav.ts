// npm run soak -- dav [ROUNDS]: the CalDAV and CardDAV connectors against a real Radicale, with random changes and
// deletions of tokens and whole collections. After every round the records equal those of a fresh run, and their number
// equals the number of items in Radicale's folder.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { caldav } from "../../src/connectors/caldav/kind.ts";
import { carddav } from "../../src/connectors/carddav/kind.ts";
import { driveDav, newKeptDav, recordsOf, written } from "../../src/connectors/dav/drive.fixture.ts";
import { RADICALE, startRadicale } from "../../src/connectors/dav/radicale.fixture.ts";
import { randomFrom } from "../crash/random.ts";

const rounds = Number(process.argv[2] ?? 40);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
if (RADICALE === undefined) {
  console.error("Radicale is not installed. Debian: apt install radicale.");
  process.exit(2);
}

const random = randomFrom(seed);
const account = await startRadicale();
const settings = { url: account.url, user: account.user };
const item = (kind: "VEVENT" | "VTODO", uid: string, version: number): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//soak//EN",
    `BEGIN:${kind}`,
    `UID:${uid}`,
    "DTSTAMP:20260101T000000Z",
    `SUMMARY:Version ${version}`,
    ...(kind === "VEVENT"
      ? ["DTSTART:20260105T100000Z", ...(version % 3 === 0 ? ["RRULE:FREQ=DAILY;COUNT=5"] : [])]
      : []),
    `END:${kind}`,
    "END:VCALENDAR",
    "",
  ].join("\r\n");
const card = (uid: string, version: number): string =>
  `BEGIN:VCARD\r\nVERSION:3.0\r\nUID:${uid}\r\nFN:Person ${uid} ${version}\r\nN:${uid};;;;\r\nEND:VCARD\r\n`;

const COLLECTIONS = ["one", "two", "book"] as const;
const present = new Map<string, Set<string>>();
async function make(folder: (typeof COLLECTIONS)[number]): Promise<void> {
  await account.makeCollection(folder === "book" ? "addressbook" : "calendar", folder, `Collection ${folder}`);
  present.set(folder, new Set());
}

let changes = 0;
let version = 0;
async function change(): Promise<void> {
  changes++;
  const folder = COLLECTIONS[random.below(COLLECTIONS.length)]!;
  const known = present.get(folder);
  if (known === undefined) return make(folder);
  const choice = random.below(100);
  if (choice < 2) {
    await account.remove(folder);
    present.delete(folder);
  } else if (choice < 30 && known.size > 0) {
    const name = [...known][random.below(known.size)]!;
    await account.remove(folder, name);
    known.delete(name);
  } else {
    const uid = `${folder}-${random.below(200)}`;
    const name = `${uid}.${folder === "book" ? "vcf" : "ics"}`;
    const kind = Number(uid.split("-")[1]) % 4 === 0 ? "VTODO" : "VEVENT";
    await account.put(folder, name, folder === "book" ? card(uid, ++version) : item(kind, uid, ++version));
    known.add(name);
  }
}

/** Counts Radicale's own files, without our code. */
function counted(): { events: number; tasks: number; contacts: number } {
  const root = join(account.store, "collection-root", account.user);
  const texts = readdirSync(root, { withFileTypes: true })
    .filter((one) => one.isDirectory() && !one.name.startsWith("."))
    .flatMap(({ name }) =>
      readdirSync(join(root, name))
        .filter((file) => /\.(?:ics|vcf)$/.test(file))
        .map((file) => readFileSync(join(root, name, file), "utf8")),
    );
  const have = (mark: string): number => texts.filter((text) => text.includes(mark)).length;
  return { events: have("BEGIN:VEVENT"), tasks: have("BEGIN:VTODO"), contacts: have("BEGIN:VCARD") };
}

/** Radicale keeps its sync tokens in its cache. */
function forgetTokens(): void {
  const root = join(account.store, "collection-root", account.user);
  for (const name of readdirSync(root)) rmSync(join(root, name, ".Radicale.cache"), { recursive: true, force: true });
}

try {
  for (const folder of COLLECTIONS) await make(folder);
  const calendars = newKeptDav();
  const contacts = newKeptDav();
  let records = 0;
  let forgotten = 0;
  let wrong = 0;
  for (let round = 1; round <= rounds; round++) {
    for (let number = random.below(30); number > 0; number--) await change();
    if (random.below(8) === 0) {
      forgetTokens();
      forgotten++;
    }
    for (const [kind, kept] of [
      [caldav, calendars],
      [carddav, contacts],
    ] as const) {
      const folders = kind === caldav ? ["one", "two"] : ["book"];
      // An account without any collection would be refused, and nothing would be deleted, so keep at least one.
      if (!folders.some((folder) => present.has(folder))) await make(folders[0] as "one" | "book");
      const run = await driveDav(kind, settings, { kept });
      if (run.done.status !== "succeeded") throw new Error(`round ${round}: ${run.done.error?.message}`);
      records += written(run).written + written(run).deleted;
      const fresh = newKeptDav();
      await driveDav(kind, settings, { kept: fresh });
      if (JSON.stringify([...fresh.records].sort()) !== JSON.stringify([...kept.records].sort())) wrong++;
    }
    const expected = counted();
    const found = {
      events: recordsOf(calendars, "events").length,
      tasks: recordsOf(calendars, "tasks").length,
      contacts: recordsOf(contacts, "contacts").length,
    };
    if (JSON.stringify(expected) !== JSON.stringify(found)) {
      wrong++;
      console.error(`round ${round}: Radicale has ${JSON.stringify(expected)}, we have ${JSON.stringify(found)}`);
    }
  }
  console.log(
    `Radicale ${RADICALE.version}, seed ${seed}: ${rounds} rounds, ${changes} changes, ${records} records written or deleted, tokens forgotten ${forgotten} times; ${wrong} differences`,
  );
  process.exitCode = wrong === 0 ? 0 : 1;
} finally {
  await account.close();
}
