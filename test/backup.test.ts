// Backup and restore: damaged backups are refused, existing data is never overwritten, and every format can be
// restored.
import { hash } from "node:crypto";
import {
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pipeline } from "node:stream/promises";
import { Decrypter } from "age-encryption";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archiveSnapshot } from "../src/engine/backup/archive.ts";
import { backupHome } from "../src/engine/backup/backup.ts";
import { openIdentity } from "../src/engine/backup/passphrase.ts";
import { openRepository, snapshotsIn } from "../src/engine/backup/repository.ts";
import { checkBackup, restoreHome } from "../src/engine/backup/restore.ts";
import { localHost } from "../src/engine/local-host.ts";
import { openSqliteStore } from "../src/store/sqlite/sqlite-store.ts";
import { filesUnder } from "./files-under.ts";
import { type Loose, ndjson, type TestServer, testServer } from "./harness.ts";
import { BOOKS, book, library, uploadCover } from "./library.ts";
import { pdpp } from "./pdpp.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-backup-"));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a backup", () => {
  let server: TestServer;
  let connection: string;
  let blob: string;

  beforeAll(async () => {
    mkdirSync(at("home"));
    server = await testServer({ home: at("home") });
    await server.register("library", library);
    connection = await server.connect("library");
    await server.ingest("books", connection, BOOKS);
    blob = await uploadCover(server, connection, "first cover");
    await backupHome({ home: server.home, directory: at("good") });
    await restoreHome({ directory: at("good"), home: at("unserved"), moveAside: false });
    copyAsBefore(at("unserved"), at("copied"));
  });
  afterAll(() => server.close());

  const refusals: [what: string, damage: (directory: string) => void, code: string, message: RegExp][] = [
    ["a changed byte", (directory) => flip(packsIn(directory)[0]!), "store_unavailable", /is damaged/],
    ["a missing pack", (directory) => rmSync(packsIn(directory)[0]!), "store_unavailable", /-0000 is missing/],
    [
      "a missing index",
      (directory) => rmSync(`${packsIn(directory)[0]!}.index.json`),
      "store_unavailable",
      /the index of .* is missing/,
    ],
    ["a changed manifest", (directory) => flip(manifestIn(directory)), "store_unavailable", /manifest is damaged/],
    [
      "half of its settings file",
      (directory) => writeFileSync(join(directory, "backups.json"), '{"format":'),
      "store_unavailable",
      /backups\.json is damaged/,
    ],
    [
      "no snapshot",
      (directory) => rmSync(join(directory, "snapshots"), { recursive: true }),
      "not_found",
      /no complete/,
    ],
    [
      "a newer version",
      (directory) => edit(join(directory, "backups.json"), (m) => (m.version = 4)),
      "home_too_new",
      /version 4/,
    ],
    ["no files", (directory) => rmSync(directory, { recursive: true }), "not_found", /is not a backup/],
  ];

  const copiedRefusals: typeof refusals = [
    [
      "a changed byte in a copy",
      (directory) => flip(join(directory, "records.db")),
      "store_unavailable",
      /records\.db does not match/,
    ],
    ["a missing file", (directory) => rmSync(join(directory, "audit.db")), "store_unavailable", /audit\.db is missing/],
    [
      "a blob missing from the manifest",
      (directory) => edit(join(directory, "manifest.json"), (m) => m.files.splice(3)),
      "store_unavailable",
      /the blob blob_.* is missing/,
    ],
    [
      "a manifest with a path outside the backup",
      (directory) => edit(join(directory, "manifest.json"), (m) => (m.files[0].path = "../../evil")),
      "store_unavailable",
      /manifest is invalid at files\.0\.path/,
    ],
    ["no manifest", (directory) => rmSync(join(directory, "manifest.json")), "not_found", /is not a backup/],
  ];

  it.each([
    ...refusals.map((one) => ["good", ...one] as const),
    ...copiedRefusals.map((one) => ["copied", ...one] as const),
  ])("a backup (%s) with %s is refused and leaves nothing behind", async (from, what, damage, code, message) => {
    const directory = at(`bad ${what}`);
    cpSync(at(from), directory, { recursive: true });
    damage(directory);
    const target = at(`into ${what}`);
    await expect(restoreHome({ directory, home: target, moveAside: false })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    expect(readdirSync(folder).filter((name) => name.startsWith(`into ${what}`))).toEqual([]);
  });

  it("O-06 a backup that an earlier version made by copying files can still be restored", async () => {
    await restoreHome({ directory: at("copied"), home: at("from-copied"), moveAside: false });
    const restored = await testServer({ home: at("from-copied") });
    expect((await restored.all("/v1/streams/books/records", { token: server.owner })).length).toBe(BOOKS.length + 1);
    expect((await restored.get(`/v1/blobs/${blob}`, { token: server.owner })).text).toBe("first cover");
    await restored.close();
    await expect(backupHome({ home: server.home, directory: at("copied") })).rejects.toMatchObject({
      code: "already_exists",
    });
  });

  it("O-06 a second backup writes only the changes, and both backups can be restored", async () => {
    const home = at("twice-home");
    await restoreHome({ directory: at("good"), home, moveAside: false });
    await fill(home, 1, 4000);
    const first = await backupHome({ home, directory: at("twice") });
    await fill(home, 4001, 4040);
    const second = await backupHome({ home, directory: at("twice") });
    expect(second.written_bytes).toBeLessThan(first.written_bytes / 5);
    expect(second.counts.records).toBe(first.counts.records + 40);
    for (const { snapshot, counts } of [first, second]) {
      const target = at(`twice-${snapshot}`);
      const restored = await restoreHome({ directory: at("twice"), at: snapshot, home: target, moveAside: false });
      expect(restored.counts).toEqual(counts);
    }
  });

  it("O-06 keeps the newest backup of each day and removes data that no backup needs", async () => {
    const home = at("days-home");
    await restoreHome({ directory: at("good"), home, moveAside: false });
    const day = 86_400_000;
    const start = Date.UTC(2030, 0, 7, 12);
    for (const [days, count] of [
      [0, 1],
      [0.1, 500],
      [1, 500],
      [2, 500],
    ] as const) {
      await fill(home, 10_000 * (days + 1), 10_000 * (days + 1) + count);
      const retention = { days: 2, weeks: 0, months: 0 };
      const last = await backupHome({ home, directory: at("days"), retention, now: () => start + days * day });
      if (days === 2) expect([last.kept, last.removed]).toEqual([2, 1]);
    }
    expect(readdirSync(at("days/snapshots")).filter((name) => name.endsWith(".json"))).toEqual([
      "2030-01-08T12-00-00Z.json",
      "2030-01-09T12-00-00Z.json",
    ]);
    expect((await checkBackup({ directory: at("days"), at: "2030-01-08" }, folder)).counts.records).toBeGreaterThan(
      900,
    );
    await expect(
      restoreHome({ directory: at("days"), at: "2030-01-07", home: at("x"), moveAside: false }),
    ).rejects.toMatchObject({ code: "not_found" });
  });

  it("O-06 a backup encrypted with a passphrase can be opened only with that passphrase, and later backups do not need it", async () => {
    const [directory, passphrase] = [at("secret"), "a long passphrase"];
    await expect(backupHome({ home: server.home, directory, passphrase: "short" })).rejects.toMatchObject({
      code: "invalid_request",
    });
    await backupHome({ home: server.home, directory, passphrase });
    const report = await backupHome({ home: server.home, directory });
    expect([report.encrypted, report.kept]).toEqual([true, 2]);
    for (const path of filesUnder(directory)) {
      const bytes = readFileSync(path);
      for (const word of ["postern-pack", "postern-snapshot", "SQLite format", "first cover"])
        expect(bytes.includes(word), `${path} ${word}`).toBe(false);
    }
    for (const [given, message] of [
      [undefined, /is encrypted/],
      ["a wrong passphrase", /does not open/],
    ] as const) {
      const source = { directory, ...(given === undefined ? {} : { passphrase: given }) };
      await expect(checkBackup(source, folder)).rejects.toMatchObject({ message: expect.stringMatching(message) });
    }
    const { counts } = await checkBackup({ directory, passphrase }, folder);
    expect(counts).toEqual(report.counts);
    // This is how the age tool opens a backup: the passphrase decrypts the identity, and the identity decrypts a pack.
    const identity = await openIdentity(readFileSync(join(directory, "identity.age")), passphrase);
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const plain = await decrypter.decrypt(readFileSync(packsIn(directory)[0]!));
    expect(Buffer.from(plain).subarray(0, 13).toString()).toBe("postern-pack\n");
  });

  it("O-06 a single-file backup restores like a backup directory, encrypted or not", async () => {
    const repository = await openRepository(at("good"));
    const [snapshot] = await snapshotsIn(repository);
    for (const passphrase of [undefined, "a long passphrase"]) {
      const file = at(`archive-${passphrase === undefined ? "plain" : "secret"}.tar`);
      await pipeline(await archiveSnapshot(repository, snapshot!, passphrase), createWriteStream(file));
      const given = passphrase === undefined ? {} : { passphrase };
      const restored = await restoreHome({ directory: file, ...given, home: `${file}.home`, moveAside: false });
      expect(restored.counts.records).toBe(snapshot!.records);
      expect(existsSync(`${file}.home/archive`)).toBe(false);
      if (passphrase !== undefined)
        await expect(checkBackup({ directory: file }, folder)).rejects.toMatchObject({ message: /is encrypted/ });
    }
    expect(readFileSync(at("archive-plain.tar")).subarray(0, 12).toString()).toBe("postern-home");
    writeFileSync(at("cut.tar"), readFileSync(at("archive-plain.tar")).subarray(0, 5000));
    await expect(checkBackup({ directory: at("cut.tar") }, folder)).rejects.toMatchObject({
      message: expect.stringMatching(/ends too early|archive/),
    });
  });

  it("O-06 can be verified from the command line without restoring anything", async () => {
    const whole = await pdpp(["restore", at("good"), "--check", "--json"]);
    expect([whole.code, whole.json]).toMatchObject([0, { ok: true, counts: { records: BOOKS.length + 1 } }]);
    cpSync(at("good"), at("not whole"), { recursive: true });
    flip(packsIn(at("not whole"))[0]!);
    const broken = await pdpp(["restore", at("not whole"), "--check"]);
    expect([broken.code, broken.stdout, broken.stderr]).toEqual([1, "", expect.stringContaining("damaged")]);
  });

  it("restoring a damaged backup exits with code 1 and gives advice", async () => {
    cpSync(at("good"), at("bad"), { recursive: true });
    flip(packsIn(at("bad"))[0]!);
    const run = await pdpp(["restore", at("bad"), "--home", at("from-bad")]);
    expect([run.code, run.stdout, run.stderr]).toEqual([1, "", expect.stringMatching(/damaged[\s\S]*another backup/)]);
    expect(existsSync(at("from-bad"))).toBe(false);
  });

  it("never overwrites a directory or a home", async () => {
    mkdirSync(at("other things"));
    writeFileSync(at("other things/mine.txt"), "mine");
    await expect(backupHome({ home: server.home, directory: at("other things") })).rejects.toMatchObject({
      code: "already_exists",
    });
    await expect(backupHome({ home: server.home, directory: join(server.home, "copy") })).rejects.toMatchObject({
      code: "invalid_request",
    });
    await expect(backupHome({ home: at("nowhere"), directory: at("x") })).rejects.toMatchObject({ code: "not_found" });
    await expect(backupHome({ home: server.home, directory: at("no/such/place") })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(restoreHome({ directory: at("good"), home: server.home, moveAside: false })).rejects.toMatchObject({
      code: "already_exists",
    });
    // The home of a running server is never replaced.
    await expect(restoreHome({ directory: at("good"), home: server.home, moveAside: true })).rejects.toMatchObject({
      code: "home_in_use",
    });
    expect((await server.get("/v1/schema")).status).toBe(200);
  });

  it("moves an existing home aside on request, and keeps it", async () => {
    mkdirSync(at("taken"));
    writeFileSync(at("taken/mine.txt"), "mine");
    const { moved_aside: moved } = await restoreHome({ directory: at("good"), home: at("taken"), moveAside: true });
    expect(readFileSync(join(moved!, "mine.txt"), "utf8")).toBe("mine");
    expect(existsSync(at("taken/records.db"))).toBe(true);
  });

  it("a backup of a home that lost a blob saves the rest, exits with code 7 and reports the loss", async () => {
    const lost = await uploadCover(server, connection, "a second cover");
    const path = filesUnder(join(server.home, "blobs")).find((name) => name.includes(lost.slice("blob_".length)))!;
    rmSync(path);
    const run = await pdpp(["backup", at("without"), "--home", server.home, "--json"]);
    expect([run.code, run.json.missing_blobs]).toEqual([7, [lost]]);
    const restored = await restoreHome({ directory: at("without"), home: at("without-home"), moveAside: false });
    expect(restored.missing_blobs).toEqual([lost]);
    expect(filesUnder(at("without-home/blobs")).map((name) => `blob_${name.split("/").at(-1)!.split(".")[0]}`)).toEqual(
      [blob],
    );
    const doctor = await pdpp(["doctor", "--home", server.home]);
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(`${lost} is missing`)]);
  });

  it("copies the records again if a blob is deleted during the backup, so that records and blobs match", async () => {
    const home = at("deleting");
    await restoreHome({ directory: at("good"), home, moveAside: false });
    let rounds = 0;
    const report = await backupHome({
      home,
      directory: at("while-deleting"),
      onProgress(step) {
        if (step !== "blobs" || rounds++ > 0) return;
        const database = new DatabaseSync(join(home, "records.db"));
        database.exec("DELETE FROM blob; DELETE FROM blob_use");
        database.close();
        for (const path of filesUnder(join(home, "blobs"))) rmSync(path);
      },
    });
    expect([rounds, report.counts.blobs, report.missing_blobs]).toEqual([2, 0, []]);
    expect(
      (await restoreHome({ directory: at("while-deleting"), home: at("deleted"), moveAside: false })).missing_blobs,
    ).toEqual([]);
  });

  it("a backup of a damaged home is refused and leaves nothing behind", async () => {
    const home = at("broken-home");
    cpSync(at("copied"), home, { recursive: true });
    writeFileSync(join(home, "records.db"), Buffer.alloc(20_000, 1));
    await expect(backupHome({ home, directory: at("of-broken") })).rejects.toMatchObject({ code: "store_damaged" });
    expect(readdirSync(folder).filter((name) => name.startsWith("of-broken"))).toEqual([]);
  });

  function flip(path: string): void {
    const bytes = readFileSync(path);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(path, bytes);
  }

  function edit(path: string, change: (document: Loose) => void): void {
    const document = JSON.parse(readFileSync(path, "utf8")) as Loose;
    change(document);
    writeFileSync(path, JSON.stringify(document));
  }

  const packsIn = (directory: string): string[] =>
    filesUnder(join(directory, "packs")).filter((path) => !path.endsWith(".json"));
  const manifestIn = (directory: string): string =>
    filesUnder(join(directory, "snapshots")).find((path) => path.endsWith(".snapshot"))!;

  /** Writes records with these numbers to a home without a server. */
  async function fill(home: string, from: number, to: number): Promise<void> {
    const host = localHost(openSqliteStore(home), { home, persist: false });
    const lines = Array.from({ length: Math.floor(to - from) + 1 }, (_, index) =>
      book(`n-${Math.floor(from) + index}`, { notes: `${hash("sha256", String(index))} `.repeat(5) }),
    );
    const report = await host.call("ingest", { stream: "books", text: ndjson(lines) }, { home: true });
    expect(JSON.stringify(report)).toContain(`"attempted":${lines.length},`);
    await host.close();
  }

  /** Makes a backup in the format of versions 1 and 2: copied files and a manifest of their digests. */
  function copyAsBefore(home: string, directory: string): void {
    const listed = [
      "records.db",
      "audit.db",
      "key",
      ...filesUnder(join(home, "blobs")).map((path) => path.slice(home.length + 1)),
    ];
    for (const name of ["records.db", "audit.db"]) {
      const database = new DatabaseSync(join(home, name));
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      database.close();
    }
    const files = listed.map((path) => {
      cpSync(join(home, path), join(directory, path), { recursive: true });
      const bytes = readFileSync(join(directory, path));
      return { path, bytes: bytes.length, sha256: hash("sha256", bytes) };
    });
    const [created_at, counts] = ["2025-05-31T00:00:00Z", { records: BOOKS.length + 1 }];
    const manifest = { format: "postern-backup", version: 2, created_at, counts, files, missing_blobs: [] };
    writeFileSync(join(directory, "manifest.json"), JSON.stringify(manifest));
  }
});
