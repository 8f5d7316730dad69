// Tests which importer recognises each file when all importers are enabled: files on their own first, then files that
// belong to a chat or a note.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { zipOf } from "./archive/archives.fixture.ts";
import { ARCHIVE_LIMITS } from "./archive/limits.ts";
import { unpackedFolder } from "./archive/unpacked.ts";
import { newFolder } from "./archive/walked.fixture.ts";
import { IMPORTERS } from "./importers/index.ts";
import { jpeg } from "./importers/photos/picture.fixture.ts";
import { type Recognised, recognise } from "./recognise.ts";
import { walk } from "./walk.ts";

const folder = newFolder();
const scratch = mkdtempSync(join(tmpdir(), "postern-scratch-"));
afterAll(() => {
  folder.remove();
  rmSync(scratch, { recursive: true, force: true });
});

async function taken(...names: string[]): Promise<{ by: Record<string, string[]>; left: Recognised["left"] }> {
  const given = names.map((name) => join(folder.path, name));
  const roots = await walk(given, unpackedFolder(scratch, ARCHIVE_LIMITS.copyBytes));
  const { groups, left } = await recognise(roots, IMPORTERS);
  return {
    by: Object.fromEntries(groups.map(({ importer, input }) => [importer.name, input.entries.map(({ path }) => path)])),
    left,
  };
}

const picture = jpeg({});
const chat = [
  "13/02/2019, 09:00 - Messages to this chat are end-to-end encrypted.",
  "13/02/2019, 09:02 - Ann: IMG-20190213-WA0001.jpg (file attached)",
  "13/02/2019, 09:03 - Bo: Ann Keane.vcf (file attached)",
  "13/02/2019, 09:04 - Bo: IMG-20190213-WA0009.jpg (file attached)",
].join("\n");
const card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann Keane\r\nEND:VCARD\r\n";

describe("P-05 files that belong to an export are recognised with it", () => {
  test("P-05 every file in an unchanged WhatsApp zip belongs to the chat", async () => {
    const files = {
      "WhatsApp Chat with Ann.txt": chat,
      "IMG-20190213-WA0001.jpg": picture,
      "Ann Keane.vcf": card,
      "PTT-20190213-WA0002.opus": "OggS",
    };
    const zip = zipOf(Object.entries(files).map(([name, content]) => ({ name, content })));
    folder.put("WhatsApp Chat with Ann.zip", zip);
    const all = Object.keys(files).sort();
    expect(await taken("WhatsApp Chat with Ann.zip")).toEqual({ by: { whatsapp: all }, left: [] });
    // If the zip has another name, the messages determine which files belong to the chat. A file that no message
    // mentions is recognised by its own name.
    folder.put("february.zip", zip);
    expect(await taken("february.zip")).toEqual({ by: { whatsapp: all }, left: [] });
  });

  test("P-05 a chat among other downloads claims the files that it mentions, and no other pictures", async () => {
    folder.put("downloads/WhatsApp Chat with Ann.txt", chat);
    folder.put("downloads/IMG-20190213-WA0001.jpg", picture);
    folder.put("downloads/Ann Keane.vcf", card);
    folder.put("downloads/all.vcf", card);
    folder.put("downloads/holiday.jpg", picture);
    folder.put("downloads/elsewhere/IMG-20190213-WA0009.jpg", picture);
    expect(await taken("downloads")).toEqual({
      by: {
        whatsapp: ["Ann Keane.vcf", "IMG-20190213-WA0001.jpg", "WhatsApp Chat with Ann.txt"],
        contacts: ["all.vcf"],
        photos: ["elsewhere/IMG-20190213-WA0009.jpg", "holiday.jpg"],
      },
      left: [],
    });
  });

  test("P-05 a plain folder of Markdown claims the pictures that its notes show; other pictures are photos, and tables stay tables", async () => {
    folder.put("notes/trip.md", "![](pictures/harbour.jpg) ![[boat.jpg]] [costs](costs.csv) [scan](scan.xyz) [[more]]");
    folder.put("notes/pictures/harbour.jpg", picture);
    folder.put("notes/pictures/boat.jpg", picture);
    folder.put("notes/pictures/unused.jpg", picture);
    folder.put("notes/costs.csv", "item,price\nrope,3\n");
    folder.put("notes/scan.xyz", "\u0001");
    folder.put("notes/other.xyz", "\u0001");
    const { by, left } = await taken("notes");
    expect(by).toEqual({
      notes: ["pictures/boat.jpg", "pictures/harbour.jpg", "scan.xyz", "trip.md"],
      photos: ["pictures/unused.jpg"],
      tables: ["costs.csv"],
    });
    expect(left.map(({ path }) => path)).toEqual(["other.xyz"]);
  });
});

test("P-05 an archive with another name, or of an unsupported kind, is skipped with advice", async () => {
  const zip = zipOf([{ name: "a.vcf", content: card }]);
  folder.put("odd/export", zip);
  folder.put("odd/letter.docx", zip);
  folder.put("odd/photos.7z", Buffer.from("377abcaf271c0004", "hex"));
  folder.put("odd/half.zip", zip.subarray(0, -30));
  folder.put("odd/mail.zip", "From a@b Mon Jan  1 00:00:00 2024\n");
  const { by, left } = await taken("odd");
  expect(by).toEqual({ contacts: ["half.zip/a.vcf"] });
  const leftOut = Object.fromEntries(left.map(({ path, reason, advice, failed }) => [path, [reason, advice, failed]]));
  expect(leftOut).toEqual({
    export: [expect.stringContaining("a zip archive"), expect.stringContaining("ends in .zip"), undefined],
    "letter.docx": ["no importer supports this format", expect.stringContaining("pdpp files"), undefined],
    "photos.7z": [expect.stringContaining("the 7-Zip format"), "unpack it and import the folder", undefined],
    "half.zip": ["it is incomplete, or not a zip archive; download it again", undefined, true],
    "mail.zip": [expect.stringContaining("is not one; download it again"), undefined, true],
  });
});

test("I-06 for an unknown format, the most similar known format is suggested", async () => {
  folder.put("unknown/sheet.xlsx", "PK");
  folder.put("unknown/config.json", '{"a": {"b": 1}}');
  folder.put("unknown/song.mp3", "ID3");
  folder.put("unknown/thing.zzz", "?");
  const { left } = await taken("unknown");
  const leftOut = Object.fromEntries(left.map(({ path, advice }) => [path, advice]));
  expect(leftOut).toEqual({
    "sheet.xlsx": expect.stringContaining("save each sheet as CSV"),
    "config.json": expect.stringContaining("a list of objects"),
    "song.mp3": expect.stringContaining("photos and videos"),
    "thing.zzz": undefined,
  });
});
