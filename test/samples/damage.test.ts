// SECURITY row 16: damaged real files. For all files and more mutations: npm run soak -- samples.
import { randomInt } from "node:crypto";
import { expect, it } from "vitest";
import { damageSamples } from "./damage.ts";
import { noSamples } from "./samples.ts";

/** Files of one folder are alike. The soak damages all of them. */
const FILES_PER_FOLDER = 12;
/** Earlier test files left memory in use in this process, but one damaged file must not add to it without limit. */
const PEAK_BYTES = 1024 ** 3;

it.skipIf(noSamples)(
  "P-05 SECURITY row 16: no sample, truncated once and mutated once, causes a crash, a hang or unbounded memory use",
  async () => {
    const before = process.memoryUsage.rss();
    const seed = Number(process.env.PDPP_SEED ?? randomInt(2 ** 31));
    const report = await damageSamples({ seed, truncations: 1, mutations: 1, filesPerFolder: FILES_PER_FOLDER });
    expect(report.thrown, `seed ${seed}`).toEqual([]);
    // These importers must still recognise some damaged files, or the test would prove nothing.
    expect(Object.keys(report.taken)).toEqual(
      expect.arrayContaining(["agents", "bank", "browser-history", "calendar", "contacts", "health", "mail", "notes"]),
    );
    expect(Object.keys(report.taken)).toEqual(expect.arrayContaining(["photos", "slack", "tables", "whatsapp"]));
    expect(report.peakBytes - before, `seed ${seed}`).toBeLessThan(PEAK_BYTES);
  },
);
