// P-07: an owner who moves from files to PostgreSQL and back has the same data, and every caller gets the same results.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { localHost } from "../../src/engine/local-host.ts";
import { moveOwner } from "../../src/engine/move.ts";
import { type HomeLocation, openStore } from "../../src/store/place.ts";
import { type Call, callUnder } from "../non-interference/calls.ts";
import {
  answerTo,
  changesToken,
  grantToken,
  inProcess,
  live,
  makeReality,
  normalise,
  type Reality,
} from "../non-interference/reader.ts";
import { world, worldGrant } from "../non-interference/world.ts";
import { runUrl } from "../postgres.ts";

const seed = Number(process.env.PDPP_SEED ?? Date.now() % 1_000_000_000);
const folder = mkdtempSync(join(tmpdir(), "pdpp-move-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OWNER = { home: true } as const;

/** Opens a store with a fixed clock. */
async function openReality(place: HomeLocation, { connections }: Reality, tick: number): Promise<Reality> {
  const host = localHost(await openStore(place), { home: place.home, persist: false, now: () => tick });
  return { home: place.home, host, connections, setClock: () => undefined, close: () => host.close() };
}

test("P-07 random data moved to PostgreSQL and back gives the same result for every call", async () => {
  const worlds = fc.sample(world, { numRuns: 6, seed });
  let calls = 0;
  for (const [index, made] of worlds.entries()) {
    const grants = fc.sample(worldGrant, { numRuns: 3, seed: seed + 1000 + index });
    const first = await makeReality(made.connections);
    await live(first, made.before);
    const readers: { token: string; asked: { call: Call; since?: string }[] }[] = [];
    for (const [number, grant] of grants.entries()) {
      const token = await grantToken(first, grant);
      const asked: { call: Call; since?: string }[] = [];
      for (const call of fc.sample(callUnder(grant), { numRuns: 15, seed: seed + 5000 + index * 10 + number })) {
        const { stream, connection_id } = call.query;
        const query = { stream, ...(connection_id === undefined ? {} : { connection_id }) };
        const since = call.kind === "changes" ? await changesToken(inProcess(first, token), first, query) : undefined;
        asked.push({ call }, ...(since === undefined ? [] : [{ call, since }]));
      }
      readers.push({ token, asked });
    }
    await live(first, made.after);
    await first.host.close();

    const there: HomeLocation = { home: join(folder, `there-${index}`) };
    const out = await moveOwner({ from: { home: first.home }, to: { home: there.home, database: { url: runUrl() } } });
    there.database = { url: runUrl(), subject: out.owner };
    const back: HomeLocation = { home: join(folder, `back-${index}`) };
    const returned = await moveOwner({ from: there, to: back });
    expect(returned, `PDPP_SEED=${seed}`).toEqual(out);
    expect(readdirSync(back.home).sort()).toEqual([
      "audit.db",
      "blobs",
      "key",
      "lock.db",
      "postern-home",
      "records.db",
    ]);

    const realities: Reality[] = [];
    for (const place of [{ home: first.home }, there, back]) realities.push(await openReality(place, first, 9000));
    const everywhere = async (ask: (reality: Reality) => Promise<string>): Promise<void> => {
      const [before, ...after] = await Promise.all(realities.map(ask));
      for (const answer of after) expect(answer, `PDPP_SEED=${seed}`).toBe(before);
      calls++;
    };
    for (const { token, asked } of readers) {
      for (const { call, since } of asked)
        await everywhere((reality) => answerTo(inProcess(reality, token), reality, call, since));
    }
    await everywhere(async (reality) => normalise(await reality.host.callText("grants", {}, OWNER), reality));
    await everywhere((reality) => reality.host.callText("verifyActivity", {}, OWNER));
    await Promise.all(realities.map((reality) => reality.close()));
    rmSync(first.home, { recursive: true, force: true });
  }
  expect(calls).toBeGreaterThan(150);
});
