// P-05: a server killed during uploads and imports continues after its restart, and ends with the same result as an
// uninterrupted server.
import { randomInt } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterAll, expect, it } from "vitest";
import { zipOf } from "../../src/collect/archive/archives.fixture.ts";
import { openHome } from "../../src/engine/home.ts";
import { HOME_OWNER, type Loose } from "../harness.ts";
import { sorted, withoutIds } from "./comparable.ts";
import { type Random, randomFrom } from "./random.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

const KILLS = 4;
const folder = mkdtempSync(join(tmpdir(), "postern-import-server-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bookmarks = (from: number, count: number): string =>
  [
    "<!DOCTYPE NETSCAPE-Bookmark-file-1>",
    ...Array.from({ length: count }, (_, n) => {
      const address = n % 97 === 0 ? "nowhere" : `https://example.org/${from + n}`;
      return `<DT><A HREF="${address}" ADD_DATE="${1_700_000_000 + n}">${"word ".repeat(20)}${from + n}</A>`;
    }),
  ].join("\n");

/** Every message has one unique attachment and one that all messages share. */
const mail = (index: number): string =>
  [
    "From a@example.org Fri May 31 09:00:00 2024",
    `Message-ID: <${index}@example.org>`,
    `Subject: ${index}`,
    "Date: Fri, 31 May 2024 09:00:00 +0000",
    "Content-Type: multipart/mixed; boundary=part",
    "",
    ...[`bytes of ${index}`, "bytes of all"].flatMap((bytes) => [
      "--part",
      "Content-Type: application/octet-stream",
      "Content-Disposition: attachment; filename=a.bin",
      "",
      bytes,
    ]),
    "--part--",
    "",
    "",
  ].join("\n");

const FILES: Record<string, Buffer> = {
  "bookmarks.zip": zipOf(
    Array.from({ length: 8 }, (_, file) => ({ name: `${file}.html`, content: bookmarks(file * 2000, 2500) })),
  ),
  "mail.mbox": Buffer.from(Array.from({ length: 400 }, (_, index) => mail(index)).join("")),
};

function newHome(name: string): { home: string; token: Promise<string> } {
  const home = join(folder, name);
  const token = (async () => {
    const host = openHome(home, { create: true, note: () => undefined });
    const { access_token } = await host.call("issueOwnerToken", {}, HOME_OWNER);
    await host.close();
    return access_token as string;
  })();
  return { home, token };
}

const asker =
  (server: ServerProcess, token: string) =>
  async (method: string, path: string, body?: object): Promise<Loose> => {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(server.url + path, { method, headers, body: body && JSON.stringify(body) });
    const answer = (await response.json()) as Loose;
    expect([path, response.status < 300, answer.error]).toEqual([path, true, undefined]);
    return answer;
  };

/** Sends the rest of a file, slowly enough to be interrupted. Returns true if all of it arrived. */
async function sendRest(server: ServerProcess, token: string, url: string, bytes: Buffer): Promise<boolean> {
  const { offset } = await asker(server, token)("GET", url);
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = offset; at < bytes.length; at += 16_384) {
      yield bytes.subarray(at, at + 16_384);
      await sleep(2);
    }
  };
  const headers = { Authorization: `Bearer ${token}`, "Upload-Offset": String(offset) };
  const request = { method: "PATCH", headers, body: pieces(), duplex: "half" } as unknown as RequestInit;
  const response = await fetch(server.url + url, request).catch(() => undefined);
  return response?.status === 204;
}

const ended = (job: Loose): boolean => ["succeeded", "failed", "cancelled"].includes(job.status);

/** Uploads and imports everything, with kills at random moments. Returns how long an uninterrupted import takes. */
async function importPaths(home: string, token: string, random?: Random, workMs = 0): Promise<number> {
  let server = await startServerProcess(home);
  let kills = 0;
  const maybeKilled = async <T>(lifeMs: number, work: () => Promise<T>): Promise<T | undefined> => {
    if (random === undefined || kills >= KILLS) return work();
    kills++;
    // A request that was in progress at the kill gets no response.
    const working = work().catch(() => undefined);
    await sleep(random.next() * lifeMs);
    await server.kill();
    await working;
    server = await startServerProcess(home);
    return undefined;
  };
  let id: string | undefined;
  for (const [name, bytes] of Object.entries(FILES)) {
    const body = { name, size: bytes.length, ...(id === undefined ? {} : { import_id: id }) };
    const upload = await asker(server, token)("POST", "/v1/imports", body);
    id = upload.import_id as string;
    if (random !== undefined) await maybeKilled(50, () => sendRest(server, token, upload.upload_url, bytes));
    while (!(await sendRest(server, token, upload.upload_url, bytes)));
  }
  await asker(server, token)("POST", `/v1/imports/${id}/run`, {});
  const begun = performance.now();
  const wait = async (): Promise<Loose> => {
    for (;;) {
      const job = await asker(server, token)("GET", `/v1/imports/${id}`);
      if (ended(job)) return job;
      await sleep(20);
    }
  };
  let job: Loose;
  do job = await maybeKilled(workMs, wait);
  while (job === undefined);
  expect([job.status, kills]).toEqual(["succeeded", random === undefined ? 0 : KILLS]);
  const tookMs = performance.now() - begun;
  // Uploads are removed after they have been imported.
  while (readdirSync(join(home, "uploads")).length > 0) await sleep(20);
  await server.stop();
  return tookMs;
}

/** Returns everything stored, without run ids, connection names, record ids and import times. */
async function contents(home: string): Promise<Record<"records" | "report" | "blobs", Loose[]>> {
  const host = openHome(home, { note: () => undefined });
  try {
    const ask = async (method: Parameters<typeof host.call>[0], query: object): Promise<Loose> =>
      JSON.parse((await host.callText(method, query as never, HOME_OWNER)).replace(/\bcin_[\w-]+/g, "cin"));
    const records: Loose[] = [];
    for (const stream of ["bookmarks", "messages"]) {
      for (let cursor: string | undefined; ; ) {
        const page = await ask("records", { stream, limit: 100, ...(cursor === undefined ? {} : { cursor }) });
        for (const { data, provenance } of page.data) {
          const { run_id: _run, ...place } = provenance;
          records.push([stream, withoutIds(data), place]);
        }
        cursor = page.next_cursor;
        if (cursor === undefined) break;
      }
    }
    const jobs = (await ask("imports", {})).data.toReversed() as Loose[];
    // An import killed after its last record but before it was marked as done starts again and finds every record
    // already stored. A bookmark that is in two of the files with different dates changes back and forth.
    const first = new Map<string, Loose>();
    for (const job of jobs) {
      if (!first.has(job.name)) first.set(job.name, job);
      else expect(job.progress.counts).toMatchObject({ imported: 0 });
    }
    const report = [...first].map(([name, { status, progress }]) => [name, status, progress.counts, progress.files]);
    // Compares blobs by digest. Each attempt to store bytes uses a new name, and a kill leaves some files without a
    // record.
    const stored = readdirSync(join(home, "blobs"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [entry.name.split(".")[0]!, readFileSync(join(entry.parentPath, entry.name), "utf8")] as const);
    const blobs = [...new Map(stored)].sort();
    return { records: sorted(records), report, blobs };
  } finally {
    await host.close();
  }
}

it(`P-05 a server killed ${KILLS} times during uploads and imports ends with the same result as an uninterrupted server`, async () => {
  const seed = Number(process.env.PDPP_SEED ?? randomInt(2 ** 31));
  const whole = newHome("whole");
  const workMs = await importPaths(whole.home, await whole.token);
  const expected = await contents(whole.home);
  expect(expected.blobs).toHaveLength(401);
  const killed = newHome("killed");
  await importPaths(killed.home, await killed.token, randomFrom(seed), workMs);
  const found = await contents(killed.home);
  for (const part of ["report", "blobs", "records"] as const) {
    expect(found[part].length, `${part}, PDPP_SEED=${seed}`).toBe(expected[part].length);
    // Shows only the first difference, because all of them together would be unreadable.
    const at = expected[part].findIndex((one, index) => !isDeepStrictEqual(one, found[part][index]));
    if (at !== -1) expect(found[part][at], `${part}, PDPP_SEED=${seed}`).toEqual(expected[part][at]);
  }
});
