// L-05, L-06: an export has the same records as the pages of `records`, and contains no trace of hidden data.
import fc from "fast-check";
import { expect, test } from "vitest";
import { PdppError } from "../../src/contract/errors.ts";
import type { ExportFileQuery } from "../../src/contract/read.ts";
import { openExportStream } from "../../src/engine/export/stream.ts";
import { callUnder } from "./calls.ts";
import { grantToken, live, makeReality, normalise, type Reality } from "./reader.ts";
import { openGrant, visibleSteps, world, worldGrant } from "./world.ts";

const seed = Number(process.env.PDPP_SEED ?? Date.now() % 1_000_000_000);
const sample = <T>(arbitrary: fc.Arbitrary<T>, count: number, salt: number): T[] =>
  fc.sample(arbitrary, { numRuns: count, seed: seed + salt });

interface Reader {
  reality: Reality;
  token: string;
}

/** Returns the file as text, or the error code. Connection ids are replaced by their index. */
async function exported({ reality, token }: Reader, query: Record<string, unknown>): Promise<string> {
  const asked = named(reality, query) as ExportFileQuery;
  try {
    const { pieces } = await openExportStream({ host: reality.host, credential: { token } }, asked);
    let text = "";
    for await (const { bytes } of pieces) text += Buffer.from(bytes).toString("utf8");
    return normalise(text, reality);
  } catch (error) {
    if (error instanceof PdppError) return error.code;
    throw error;
  }
}

async function paged({ reality, token }: Reader, query: Record<string, unknown>): Promise<string> {
  let text = "";
  let cursor: string | undefined;
  try {
    do {
      const body = await reality.host.call("records", { ...named(reality, query), cursor } as never, { token });
      const page = body;
      for (const record of page.data) text += `${JSON.stringify(record)}\n`;
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    return normalise(text, reality);
  } catch (error) {
    if (error instanceof PdppError) return error.code;
    throw error;
  }
}

function named(reality: Reality, query: Record<string, unknown>): Record<string, unknown> {
  const id = typeof query.connection_id === "string" ? /^\$([01])$/.exec(query.connection_id)?.[1] : undefined;
  return id === undefined ? query : { ...query, connection_id: reality.connections[Number(id)] };
}

test("L-05, L-06 for any query, the export has the records of all pages and equals the export of a world without the hidden data", async () => {
  let cases = 0;
  let rows = 0;
  for (const [index, made] of sample(world, 6, 0).entries()) {
    const whole = await makeReality(made.connections);
    await live(whole, [...made.before, ...made.after]);
    for (const [number, grant] of sample(worldGrant, 4, 1000 + index).entries()) {
      const other = await makeReality(made.connections);
      await live(other, visibleSteps([...made.before, ...made.after], grant));
      const left = { reality: whole, token: await grantToken(whole, grant) };
      const right = { reality: other, token: await grantToken(other, openGrant(grant)) };
      for (const { kind, query } of sample(callUnder(grant), 40, 100_000 + index * 100 + number)) {
        // An export covers one connection.
        if (kind !== "records" || query.connection_id === "all") continue;
        const { limit, count: _count, expand: _expand, ...asked } = query;
        const file = await exported(left, asked);
        const note = `PDPP_SEED=${seed} ${JSON.stringify(asked)}`;
        expect(file, note).toBe(await paged(left, { ...asked, limit }));
        for (const format of ["jsonl", "csv"])
          expect(await exported(left, { ...asked, format }), note).toBe(await exported(right, { ...asked, format }));
        cases++;
        rows += file.split("\n").length - 1;
      }
      await other.close();
    }
    await whole.close();
  }
  expect(cases).toBeGreaterThan(100);
  expect(rows).toBeGreaterThan(50);
});
