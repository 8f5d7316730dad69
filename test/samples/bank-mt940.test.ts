// MT940 files from banks and from the tests of other readers. Every `:61:` line is a transaction.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collect, recordsOf, refusals } from "../../src/collect/importer.fixture.ts";
import { bankImporter } from "../../src/collect/importers/bank/importer.ts";
import { noSamples, sample } from "./samples.ts";

const FOLDER = "second-round/bank-mt940";
const files = noSamples ? [] : readdirSync(join(process.env.PDPP_SAMPLES!, FOLDER));
const run = (file: string) => collect(bankImporter, [sample(`${FOLDER}/${file}`)]);

describe.skipIf(noSamples)("I-06 MT940", () => {
  it.each(files)("%s", async (file) => {
    const text = readFileSync(join(process.env.PDPP_SAMPLES!, FOLDER, file), "latin1");
    const lines = text.match(/^(?:\{.*\{4:)?:61:\d{6}.*/gm) ?? [];
    const events = await run(file);
    const bookings = recordsOf(events, "transactions");
    const twice = events.filter(
      (event) => event.kind === "skip" && /has this transaction twice/.test(event.reason),
    ).length;
    expect(events.flatMap((event) => (event.kind === "error" ? [event.message] : []))).toEqual([]);
    expect(bookings.length + twice).toBe(lines.length);
    // The sum of the signed amounts in the file.
    const written = lines.reduce((sum, line) => {
      const [, side, amount] = /^(?:\{.*\{4:)?:61:\d{6}(?:\d{4}|\s{4})?\s?(R?[CD])[A-Z]?\s?(\d+(?:,\d*)?)/.exec(line)!;
      return sum + (side === "D" || side === "RC" ? -1 : 1) * Math.round(Number(amount!.replace(",", ".")) * 100);
    }, 0);
    const read = bookings.reduce((sum, { data }) => sum + Math.round(Number(data.amount) * 100), 0);
    if (twice === 0) expect(read).toBe(written);
    expect(await refusals(bankImporter, [sample(`${FOLDER}/${file}`)])).toEqual([]);
  });

  it("the content matches a manual reading", async () => {
    const first = async (file: string) => recordsOf(await run(file), "transactions")[0]!.data;
    expect(await first("ASNB-mt940.txt")).toMatchObject({
      booked_on: "2020-01-01",
      amount: -65,
      currency: "EUR",
      description: expect.stringContaining("Betaling sieraden"),
    });
    expect(await first("jejik-abnamro.sta")).toMatchObject({ booked_on: "2011-05-24", value_on: "2011-05-24" });
  });
});
