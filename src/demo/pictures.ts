// Small real files created by code: PNG pictures and PDF receipts.
import { type Colour, truePng } from "./formats/png.ts";
import type { Random } from "./random.ts";

const SKIES: Colour[] = [
  [246, 196, 132],
  [150, 190, 220],
  [225, 170, 175],
  [190, 205, 215],
  [250, 220, 150],
];
const LANDS: Colour[] = [
  [70, 100, 80],
  [60, 75, 110],
  [120, 90, 70],
  [50, 110, 105],
  [95, 80, 100],
];

/** A little landscape: sky, sun and three ranges of hills. */
export function landscapePng(random: Random, width = 96, height = 64): Uint8Array {
  const sky = random.pick(SKIES);
  const land = random.pick(LANDS);
  const sunX = random.int(15, width - 15);
  const sunY = random.int(8, Math.floor(height / 3));
  const hills = [0, 1, 2].map((range) => ({
    base: height * (0.5 + range * 0.16),
    size: random.int(3, 8),
    length: random.int(9, 22),
    phase: random.next() * 6,
  }));
  // Colours are computed before the loop: computing them per pixel took a fifth of the whole demo's time.
  const shades = [1.25, 1, 0.75].map((shade) => scaled(land, shade));
  const rows = Array.from({ length: height }, (_, y) => scaled(sky, 1 - (y / height) * 0.3));
  const sun: Colour = [255, 245, 215];
  return truePng({ width, height }, (x, y) => {
    for (let range = 2; range >= 0; range--) {
      const hill = hills[range]!;
      if (y > hill.base + hill.size * Math.sin(x / hill.length + hill.phase)) return shades[range]!;
    }
    return (x - sunX) ** 2 + (y - sunY) ** 2 < 36 ? sun : rows[y]!;
  });
}

function scaled([red, green, blue]: Colour, by: number): Colour {
  const part = (value: number) => Math.min(255, Math.round(value * by));
  return [part(red), part(green), part(blue)];
}

/** One page of plain text in Courier. */
export function receiptPdf(lines: readonly string[]): Uint8Array {
  const rows = lines.map((line) => `(${line.replace(/[\\()]/g, "\\$&").replaceAll("€", "EUR ")}) Tj T*`).join("\n");
  const page = `BT /F1 10 Tf 14 TL 40 780 Td\n${rows}\nET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${Buffer.byteLength(page, "latin1")} >>\nstream\n${page}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
  ];
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, position) => {
    const offset = Buffer.byteLength(body, "latin1");
    body += `${position + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const start = Buffer.byteLength(body, "latin1");
  const size = objects.length + 1;
  body += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(body, "latin1");
}
