// A home with a row in every table, and texts that the two database engines store differently.
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { blobFileOf, blobPath } from "../../src/engine/blob-files.ts";
import { beginEra } from "../../src/store/sqlite/maintenance.ts";
import { openSqliteStore, prepareHome } from "../../src/store/sqlite/sqlite-store.ts";
import type { AuditEntry, Change } from "../../src/store/store.ts";
import { declaration, gone, grant, item, limitsIn, NOW, WORDS } from "../../src/store/store-samples.fixture.ts";

/** Two texts with the same beginning that are longer than a PostgreSQL index allows. */
const LONG = ["a", "b"].map((end) => `${"long 𝒳 ".repeat(200)}${end}`);
/** PostgreSQL does not allow NUL in text. */
const NUL = "before\0after \u0001\u0002";

/** The id of the object that contains the blob. */
export const GENERATION = "mb0c1d2e-AbCdEfGhIjKl";

export interface Everything {
  subject: string;
  blobId: string;
}

export async function fillEverything(home: string): Promise<Everything> {
  prepareHome(home);
  const blob = blobFileOf(Buffer.from("the bytes of a blob"));
  mkdirSync(dirname(blobPath(home, blob.blobId, GENERATION)), { recursive: true });
  writeFileSync(blobPath(home, blob.blobId, GENERATION), "the bytes of a blob");
  const store = openSqliteStore(home);
  const subject = await store.read((view) => view.subject());
  await store.write(async (view) => {
    await view.putSource(subject, "contract", declaration, NOW);
    await view.putConnection(subject, {
      connectionId: "cin_1",
      sourceId: declaration.source.id,
      displayName: NUL,
      createdAt: NOW,
    });
    await view.putConnection(subject, {
      connectionId: "cin_2",
      sourceId: declaration.source.id,
      displayName: "gone",
      createdAt: NOW,
    });
    const stream = await view.openStream("cin_1", "items");
    // The number of a deleted stream is not reused.
    await view.openStream("cin_2", "items");
    await view.deleteConnection("cin_2");
    await view.putBlob({ ...blob, generation: GENERATION, mimeType: "text/plain" }, NOW);
    const apply = (...changes: Change[]) =>
      view.apply(stream, changes, { appendOnly: false, now: NOW, limitsOf: limitsIn });
    await apply(item("a", "one", 1), item("b", NUL, -2.5), item("c", "x"), item(NUL, "y", 3));
    await apply(item("a", "two", 2), gone("c"), {
      ...item("d", "blob", 4),
      blobs: [{ blobId: blob.blobId, field: "title" }],
    });
    await apply({ ...item("a", "three", 3), emittedAt: 1000.5, origin: JSON.stringify({ run_id: "r" }) });
    for (const [at, text] of LONG.entries()) await apply({ ...item(`long${at}`, text), ord: text });
    // This text ends like a shortened one, but it is complete.
    await apply({ ...item("short", "x"), ord: `x ${"d".repeat(22)}` });
    await view.putClient(subject, "cli_1", "Client", NOW);
    // Grants keep the order in which they were added, not the order of their names or times.
    for (const id of ["grt_2", "grt_1", "grt_3"]) await view.putGrant(subject, grant(id), "gpkg_1", WORDS);
    await view.revokeGrant("grt_1", NOW, "owner");
    await view.consumeGrant("grt_3", NOW);
    await view.putToken(
      "hash",
      {
        kind: "client",
        subjectId: subject,
        grantId: "grt_2",
        packageId: null,
        expiresAt: null,
        audience: "records",
        label: null,
      },
      NOW,
    );
    await view.putOwner({ subjectId: subject, name: "Owner", password: "scrypt", changedAt: NOW });
    await view.putAuthItem({
      kind: "AccessToken",
      hash: "h",
      body: "{}",
      grantId: "g",
      uid: "u",
      userCode: null,
      consumedAt: null,
      expiresAt: 5e12,
    });
    await view.putState(subject, "cin_1", { items: { page: NUL } }, NOW);
    for (const jobId of ["job_b", "job_a"])
      await view.putJob(subject, {
        jobId,
        kind: "import",
        status: "running",
        holder: null,
        request: {},
        startedAt: NOW,
        updatedAt: NOW,
        progress: { done: 1 },
        expiresAt: null,
      });
    await view.putItem(subject, {
      kind: "schedule",
      id: "i",
      holder: "cin_1",
      createdAt: NOW,
      dueAt: 5,
      body: { every: "1h" },
    });
  });
  const entry = (at: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
    at,
    subject_id: subject,
    actor: "client",
    action: "records",
    records: 1,
    bytes: 9,
    outcome: "ok",
    request_id: `req_${at}`,
    ...more,
  });
  await store.audit.append([
    entry(5, { grant_id: "grt_2", connection_id: "cin_1", stream: "items" }),
    entry(3),
    entry(9, { outcome: "denied", asked: { stream: NUL } }),
  ]);
  await store.close();
  beginEra(join(home, "records.db"));
  return { subject, blobId: blob.blobId };
}

/** Writes into the journal as if another process had tampered with it. */
export async function tamper(home: string): Promise<void> {
  const store = openSqliteStore(home);
  await store.audit.append([
    { at: 1, subject_id: "s", actor: "owner", action: "x", records: 0, bytes: 0, outcome: "ok", request_id: "r" },
  ]);
  const folder = join(home, "journals");
  for (const name of readdirSync(folder)) appendFileSync(join(folder, name), "a line of somebody else\n");
  await store.audit.verify();
  await store.close();
}
