// I-10: text in imported scans, screenshots and PDFs is recognised in the background, searchable, and marked as
// recognised.
import { copyFileSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deflateSync, inflateSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { importWorld } from "../../collect/import.fixture.ts";
import type { RecognitionRead } from "../../contract/recognition.ts";
import { homeObjects, openObjects } from "../../engine/objects-place.ts";
import { installedRecognition } from "../sync/text/recognition.ts";
import { readAttachedText } from "./attached-text.ts";
import { attachedFormat } from "./picture-format.ts";

const TICKET = fileURLToPath(new URL("../sync/text/ticket.fixture.png", import.meta.url));
const OWNER = { home: true } as const;

let world: ReturnType<typeof importWorld>;
beforeEach(() => {
  world = importWorld();
});
afterEach(() => world.close());

const read = (stopAfter?: number) => {
  const stop = new AbortController();
  return readAttachedText({
    host: world.host,
    objects: openObjects(homeObjects(world.home)),
    recognition: installedRecognition()!,
    credential: OWNER,
    signal: stop.signal,
    onProgress: ({ looked }) => looked === stopAfter && stop.abort(),
  });
};

const state = () => world.ask<RecognitionRead>("recognition", {});
const put = (query: object) => world.ask<RecognitionRead>("putRecognition", query);

/** Blank rows are added to the picture, because one as small as the screenshot would be treated as a logo. */
const BLANK_ROWS = 200;

/**
 * A PDF like those that scanners make: one page with a picture and no text. PDF and PNG compress pixels the same way.
 */
function scannedPdf(): Buffer {
  const png = readFileSync(TICKET);
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20) + BLANK_ROWS];
  const [bits, colors] = [png[24], png[25] === 2 ? 3 : 1];
  const pixels: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      pixels.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  // Each row starts with its filter type.
  const blank = Buffer.concat([Buffer.of(0), Buffer.alloc(width * colors, 255)]);
  const rows = [inflateSync(Buffer.concat(pixels)), ...Array.from({ length: BLANK_ROWS }, () => blank)];
  const packed = deflateSync(Buffer.concat(rows));
  const show = `${width} 0 0 ${height} 0 0 cm /Scan Do`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /XObject << /Scan 5 0 R >> >> >>`,
    `<< /Length ${show.length} >>\nstream\n${show}\nendstream`,
    `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /Device${colors === 3 ? "RGB" : "Gray"} /BitsPerComponent ${bits} /Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors ${colors} /BitsPerComponent ${bits} /Columns ${width} >> /Length ${packed.length} >>\nstream\n${packed.toString("latin1")}\nendstream`,
  ];
  const body = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join("");
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<< /Size 6 /Root 1 0 R >>\n%%EOF\n`, "latin1");
}

/** An ordinary email with an attached file. */
function mail(subject: string, attached: Buffer = readFileSync(TICKET)): string {
  const file = attached.toString("base64");
  return [
    "From: Nora <nora@example.org>",
    "To: Ann <ann@example.org>",
    "Date: Mon, 03 Jun 2024 10:00:00 +0200",
    `Subject: ${subject}`,
    `Message-ID: <${subject}@example.org>`,
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "See the attachment.",
    "--b",
    'Content-Type: application/octet-stream; name="scan"',
    "Content-Transfer-Encoding: base64",
    'Content-Disposition: attachment; filename="scan"',
    "",
    file,
    "--b--",
    "",
  ].join("\r\n");
}

it("I-10 text in a screenshot and in an attachment is searchable and marked as recognised, and recognition resumes where it stopped", async () => {
  copyFileSync(TICKET, world.put("in/screen.png", ""));
  world.put("in/one.eml", mail("one"));
  const { jobs } = await world.bring(["in"], { real: true });
  expect(jobs.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  expect(await state()).toMatchObject({ paused: false, photos: false, looked_at: 0, found: 0, waiting: 2 });

  expect(await read(1)).toEqual({ looked: 1, found: 1 });
  expect(await state()).toMatchObject({ looked_at: 1, found: 1, waiting: 1 });
  expect(await read()).toEqual({ looked: 1, found: 1 });
  expect(await read()).toEqual({ looked: 0, found: 0 });
  expect(await state()).toMatchObject({ looked_at: 2, found: 2, waiting: 0 });

  const texts = (
    await Promise.all(jobs.map(({ connection_id }) => world.records("attached_text", connection_id)))
  ).flat();
  expect(texts.map(({ data }) => [data.name, data.record_stream, data.is_recognised, data.text]).sort()).toEqual([
    ["one", "messages", true, "Invoice 2024-117\nHarbour ferry, two tickets"],
    ["screen.png", "photos", true, "Invoice 2024-117\nHarbour ferry, two tickets"],
  ]);
  // Identical texts count as one hit.
  const found = await world.ask<{ data: { stream: string }[] }>("search", { q: "harbour ferry" });
  expect(found.data.map(({ stream }) => stream)).toEqual(["attached_text"]);

  // Importing the same files again changes nothing, and deleting a record deletes its text.
  const again = await world.bring(["in"], { real: true });
  expect(again.jobs.map(({ progress }) => progress.counts.imported + progress.counts.changed)).toEqual([0, 0]);
  for (const { import_id } of jobs) await world.ask("undoImport", { id: import_id });
  await read();
  for (const { connection_id } of jobs) expect(await world.records("attached_text", connection_id)).toEqual([]);
});

it("I-10 text in an imported PDF that contains only pictures is recognised and searchable", async () => {
  world.put("in/scan.eml", mail("scan", scannedPdf()));
  const { jobs } = await world.bring(["in"], { real: true });
  expect(await read()).toEqual({ looked: 1, found: 1 });
  const [text] = await world.records("attached_text", jobs[0]!.connection_id);
  expect(text!.data).toMatchObject({ record_stream: "messages", is_recognised: true });
  expect(text!.data.text).toContain("Harbour ferry, two tickets");
  const found = await world.ask<{ data: { stream: string }[] }>("search", { q: "harbour ferry" });
  expect(found.data.map(({ stream }) => stream)).toEqual(["attached_text"]);
});

it("I-10 recognition can be paused, and photos are processed only if enabled", async () => {
  copyFileSync(TICKET, world.put("in/screen.png", ""));
  await world.bring(["in"], { real: true });
  expect(await put({ paused: true })).toMatchObject({ paused: true, photos: false });
  expect(await read()).toEqual({ looked: 0, found: 0 });
  await put({ paused: false });
  expect(await read()).toEqual({ looked: 1, found: 1 });
  // Enabling photos processes everything again.
  expect(await put({ photos: true })).toMatchObject({ paused: false, photos: true });
  expect(await read()).toEqual({ looked: 1, found: 1 });

  const formats = (head: string) =>
    (["documents", "photos"] as const).map((pictures) => attachedFormat(Buffer.from(head, "latin1"), pictures));
  expect(formats("%PDF-1.4")).toEqual(["pdf", "pdf"]);
  expect(formats("\x89PNG\r\n\x1a\n")).toEqual(["picture", "picture"]);
  expect(formats("MM\0*")).toEqual(["picture", "picture"]);
  expect(formats("\xff\xd8\xff\xe0")).toEqual([undefined, "picture"]);
  expect(formats("GIF89a")).toEqual([undefined, undefined]);
});

it("I-10 a picture embedded in a note is processed together with the note", async () => {
  world.put("notes/.obsidian/app.json", "{}");
  world.put("notes/trip.md", "# Trip\n\n![[screen.png]]\n");
  copyFileSync(TICKET, world.put("notes/screen.png", ""));
  const { jobs } = await world.bring(["notes"], { real: true });
  expect(await read()).toMatchObject({ found: 1 });
  const [text] = await world.records("attached_text", jobs[0]!.connection_id);
  expect(text!.data).toMatchObject({ record_stream: "notes", is_recognised: true });
});
