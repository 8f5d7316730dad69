// G-01, G-02 with a real mailbox: a record's envelope reveals nothing that its grant hides.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importWorld } from "../../src/collect/import.fixture.ts";
import type { ImportJob } from "../../src/contract/import.ts";
import type { RecordRead } from "../../src/contract/record.ts";
import { openExportStream } from "../../src/engine/export/stream.ts";
import { overMcp } from "../non-interference/over-mcp.ts";
import { type Ask, inProcess, type Reality } from "../non-interference/reader.ts";
import { noSamples } from "./samples.ts";

const SINCE = "2020-04-01T00:00:00Z";

describe.skipIf(noSamples)("a mailbox with a grant for subjects and a time range", () => {
  let world: ReturnType<typeof importWorld>;
  let job: ImportJob;
  let owners: RecordRead[];
  let token: string;
  let app: Ask;

  beforeAll(async () => {
    world = importWorld();
    job = (await world.importFiles([join(process.env.PDPP_SAMPLES!, "mail-mbox", "export.mbox")]))[0]!;
    owners = await world.records("messages");
    const selections = [{ connection_id: job.connection_id, stream: "messages", fields: ["subject"], since: SINCE }];
    const issued = await world.ask<{ access_token: string }>("issueGrant", { selections });
    token = issued.access_token;
    app = inProcess(world as unknown as Reality, token);
  });
  afterAll(() => world.close());

  const place = () => ({ stream: "messages", connection_id: job.connection_id });

  /** Returns everything that this grant can read, as text. */
  async function everything(ids: readonly string[]): Promise<string[]> {
    const mcp = await overMcp(world as unknown as Reality, token);
    const texts: string[] = [];
    for (const ask of [app, mcp.ask]) {
      for (const start of [{}, { changes_since: "beginning" }]) {
        for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
          const text = await ask("records", { ...place(), ...start, limit: 100, ...(cursor ? { cursor } : {}) });
          texts.push(text);
          cursor = (JSON.parse(text) as { next_cursor?: string }).next_cursor;
        }
      }
      for (const id of ids) {
        texts.push(await ask("record", { ...place(), id }));
        texts.push(await ask("window", { ...place(), id, field: "subject" }));
      }
      texts.push(await ask("search", { q: "re* the a*", limit: 100 }));
      texts.push(await ask("aggregate", { ...place(), metric: "count" }));
      texts.push(await ask("streams", {}), await ask("schema", {}));
    }
    for (const format of ["jsonl", "csv"] as const) {
      const options = { host: world.host, credential: { token } };
      const { pieces } = await openExportStream(options, { ...place(), format });
      for await (const { bytes } of pieces) texts.push(Buffer.from(bytes).toString("utf8"));
    }
    return texts;
  }

  test("G-02 the owner sees the origin of each message, and that this import emitted all of them", () => {
    expect(owners.length).toBeGreaterThan(10);
    for (const { emitted_at, provenance } of owners) {
      expect(emitted_at).toBe(job.started_at);
      expect(provenance).toMatchObject({ run_id: job.import_id, entry: expect.stringMatching(/\.mbox$/) });
      expect(provenance!.digest).toMatch(/^sha256:/);
    }
  });

  test("G-01 G-02 an app cannot read a hidden time, file name, offset or digest through any surface", async () => {
    const shown = (JSON.parse(await app("records", { ...place(), limit: 100 })) as { data: RecordRead[] }).data;
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.length).toBeLessThan(owners.length);
    const texts = await everything(shown.slice(0, 5).map(({ id }) => id));
    const whole = texts.join("\n");
    expect(whole).toContain(JSON.stringify(shown[0]!.data.subject).slice(1, -1));
    const hidden = new Set(
      owners.flatMap(({ data, provenance }) => [
        ...(data.sent_at === undefined ? [] : [new Date(data.sent_at as string).toISOString().slice(0, 19)]),
        provenance!.entry!,
        provenance!.digest!,
        provenance!.digest!.slice("sha256:".length),
        `"offset":${provenance!.offset}`,
      ]),
    );
    for (const value of hidden) expect(whole, value).not.toContain(value);
    for (const text of texts) expect(text).not.toMatch(/"(?:provenance":\{|written_at|authored_at)|1970-01-01|\.mbox/);
    for (const { emitted_at } of shown) expect(emitted_at).toBe(job.started_at);
  });
});
