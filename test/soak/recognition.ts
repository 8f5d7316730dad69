// npm run soak -- recognition: recognises text in the pictures and scanned PDFs of $PDPP_SAMPLES, and counts how many
// of the words that a person transcribed were found.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { extensionOf } from "../../src/files/sync/record-of.ts";
import { Extractor } from "../../src/files/sync/text/extractor.ts";
import { formatOf } from "../../src/files/sync/text/formats.ts";
import { installedRecognition, recognitionWords } from "../../src/files/sync/text/recognition.ts";

/** The minimum share of the words that a person transcribed. */
const SHARE_MIN = 0.9;

const samples = join(process.env.PDPP_SAMPLES ?? "", "second-round");
const recognition = installedRecognition();
if (process.env.PDPP_SAMPLES === undefined || recognition === undefined) {
  console.error(recognition === undefined ? recognitionWords() : "set PDPP_SAMPLES to the folder of the samples");
  process.exit(2);
}
const extractor = new Extractor(Buffer.from(samples), new Set(), { recognition });
const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}[\p{L}’']+/gu) ?? [];
for (const folder of ["ocr-images", "scanned-pdf"]) {
  for (const name of readdirSync(join(samples, folder)).sort()) {
    const format = formatOf(name, extensionOf(name), "photos");
    if (format !== "picture" && format !== "pdf") continue;
    const began = performance.now();
    const found = await extractor.textOf(
      [folder, name].map((part) => Buffer.from(part)),
      { format, size: 1e8 },
    );
    const text = found.text ?? "";
    const truth = join(samples, folder, name.replace(/\.[^.]+$/, ".txt"));
    const wanted = existsSync(truth) ? wordsOf(readFileSync(truth, "utf8")) : [];
    const read = new Set(wordsOf(text));
    const share = wanted.filter((word) => read.has(word)).length / wanted.length;
    const told = wanted.length === 0 ? "" : `, ${Math.round(share * 100)} % of ${wanted.length} words`;
    console.log(
      `${folder}/${name}: ${wordsOf(text).length} words${told}, ${Math.round(performance.now() - began)} ms${found.problem ? ", cannot be read" : ""}`,
    );
    if (found.problem || share < SHARE_MIN) process.exitCode = 1;
  }
}
await extractor.close();
