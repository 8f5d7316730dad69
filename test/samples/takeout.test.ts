// The names of two Google Takeouts, one of them German (purarue/google_takeout_parser); their files are empty.
import { describe, expect, it } from "vitest";
import { mediaImporter } from "../../src/collect/importers/media/importer.ts";
import { noSamples, samplesIn } from "./samples.ts";

describe.skipIf(noSamples)("P-05 Takeout trees", () => {
  it("both languages' YouTube history as HTML gets advice, and nothing else does", () => {
    const advised = samplesIn("takeout-tree").filter(
      ({ path, size }) =>
        mediaImporter.recognise({ path, root: "test", size, head: new Uint8Array(), has: () => false })?.advice,
    );
    // find takeout-tree -path '*YouTube*' -name '*.html', without comments and live chats, which are no history
    expect(advised.map(({ path }) => path.split("/").at(-1))).toEqual(["Suchverlauf.html", "Wiedergabeverlauf.html"]);
  });
});
