// A realistic disk: years of photos, films, music, papers, projects and downloads. The files are sparse, so they have
// realistic sizes but use no space.
import { mkdirSync, mkdtempSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { randomFrom } from "../crash/random.ts";

const MB = 1_000_000;

export function plantDisk(): string {
  const disk = join(mkdtempSync(join(tmpdir(), "pdpp-disk-")), "nora");
  const random = randomFrom(7);
  const between = (least: number, most: number): number => Math.round(least + random.next() * (most - least));
  const file = (path: string, size: number, year: number): void => {
    const full = join(disk, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, "");
    truncateSync(full, size);
    const time = new Date(Date.UTC(year, between(0, 11), between(1, 28), between(6, 22)));
    utimesSync(full, time, time);
  };
  const many = (count: number, name: (n: number) => string, least: number, most: number, year: number): void => {
    for (let n = 1; n <= count; n++) file(name(n), between(least, most), year);
  };
  const padded = (n: number): string => String(n).padStart(4, "0");
  for (const [year, count] of [
    [2017, 12],
    [2018, 18],
    [2019, 34],
    [2020, 22],
    [2021, 30],
    [2022, 26],
    [2023, 40],
  ] as const) {
    many(count, (n) => `Photos/${year}/IMG_${padded(n + year)}.jpg`, 2 * MB, 7 * MB, year);
    many(3, (n) => `Photos/${year}/RAW/DSC_${padded(n)}.dng`, 22 * MB, 31 * MB, year);
  }
  file("Films/Lisbon 2019.mp4", 1_420 * MB, 2019);
  file("Films/Christmas.mov", 640 * MB, 2020);
  file("Films/Regatta/finish line.mp4", 310 * MB, 2022);
  file("Films/Regatta/start.mp4", 228 * MB, 2022);
  for (const band of ["Clannad", "Talk Talk", "The Gloaming", "Susanna"])
    many(9, (n) => `Music/${band}/${String(n).padStart(2, "0")} track.flac`, 18 * MB, 42 * MB, 2016);
  many(14, (n) => `Documents/Taxes/${2010 + n}/assessment.pdf`, 80_000, 900_000, 2018);
  many(20, (n) => `Documents/Letters/letter-${n}.docx`, 20_000, 120_000, 2021);
  file("Documents/Harbour survey/report final.pdf", 48 * MB, 2023);
  file("Documents/Harbour survey/soundings.csv", 96 * MB, 2023);
  file("Documents/Harbour survey/map.tif", 210 * MB, 2023);
  many(40, (n) => `Projects/tide-tables/node_modules/pkg-${n}/index.js`, 4_000, 900_000, 2024);
  many(9, (n) => `Projects/tide-tables/src/part-${n}.ts`, 1_000, 30_000, 2024);
  file("Projects/tide-tables/data/readings.sqlite", 385 * MB, 2024);
  many(6, (n) => `Projects/boat/render-${n}.png`, 8 * MB, 24 * MB, 2023);
  file("Downloads/debian-13.iso", 780 * MB, 2024);
  file("Downloads/Takeout-2023.zip", 540 * MB, 2023);
  many(12, (n) => `Downloads/statement-${n}.pdf`, 90_000, 400_000, 2024);
  file("Mail/archive.mbox", 460 * MB, 2022);
  file("backup.tar.gz", 350 * MB, 2021);
  file("notes.md", 14_000, 2024);
  return disk;
}
