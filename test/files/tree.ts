// A tree for tests: years of photos, letters, copies, unusual names, links and a pipe.
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const YEARS = [2015, 2016, 2017, 2018, 2019];
export const PHOTOS_PER_YEAR = 25;

export function plantTree(): string {
  const tree = mkdtempSync(join(tmpdir(), "pdpp-tree-"));
  for (const year of YEARS) {
    mkdirSync(join(tree, "photos", String(year)), { recursive: true });
    for (let n = 0; n < PHOTOS_PER_YEAR; n++) {
      const path = join(tree, "photos", String(year), `IMG_${String(n).padStart(4, "0")}.jpg`);
      writeFileSync(path, `${year}-${n} ${"x".repeat(n * 10)}`);
      utimesSync(path, new Date(`${year}-06-01T12:00:00Z`), new Date(`${year}-06-01T12:00:00Z`));
    }
  }
  mkdirSync(join(tree, "letters", "old"), { recursive: true });
  writeFileSync(join(tree, "letters", "invoice-1.pdf"), "%PDF-1.7 one");
  writeFileSync(join(tree, "letters", "old", "invoice-0.pdf"), "%PDF-1.4 zero");
  writeFileSync(join(tree, "letters", "odd\nname \u202e.txt"), "odd");
  writeFileSync(Buffer.from(`${tree}/letters/\xff\xfe.bin`, "latin1"), "bytes");
  symlinkSync("invoice-1.pdf", join(tree, "letters", "latest"));
  symlinkSync("/etc", join(tree, "letters", "out"));
  linkSync(join(tree, "letters", "invoice-1.pdf"), join(tree, "letters", "same-invoice.pdf"));
  execFileSync("mkfifo", [join(tree, "letters", "pipe")]);
  return tree;
}
