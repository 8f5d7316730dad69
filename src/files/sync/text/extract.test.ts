// Tests text extraction in any encoding, and from files whose content does not match their name.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { zipOf } from "../../../collect/archive/archives.fixture.ts";
import { temporary } from "../../tree.fixture.ts";
import { extensionOf } from "../record-of.ts";
import { extract, TEXT_BYTES_MAX } from "./extract.ts";
import { Extractor } from "./extractor.ts";
import { formatOf, type TextFormat } from "./formats.ts";

const plain = (bytes: Uint8Array | string) => extract("plain", Buffer.from(bytes as string));
const zip = (parts: Record<string, string>): Buffer =>
  zipOf(Object.entries(parts).map(([name, content]) => ({ name, content })));
const document = async (format: TextFormat, parts: Record<string, string>): Promise<string> =>
  (await extract(format, zip(parts))).text;

/** A minimal PDF with one line on each page. */
function pdfOf(lines: readonly string[], pack?: (bytes: Buffer) => Buffer): Buffer {
  const pages = lines.map((_, index) => `${4 + 2 * index} 0 R`);
  const objects: (string | Buffer)[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${pages.join(" ")}] /Count ${lines.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...lines.flatMap((line, index) => {
      const drawn = Buffer.from(
        line
          .split("\n")
          .map((part) => `BT /F1 1 Tf 40 700 Td (${part.replace(/[()\\]/g, "\\$&")}) Tj ET`)
          .join("\n"),
      );
      const stored = pack === undefined ? drawn : pack(drawn);
      const filter = pack === undefined ? "" : " /Filter /FlateDecode";
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        Buffer.concat([
          Buffer.from(`<< /Length ${stored.length}${filter} >>\nstream\n`),
          stored,
          Buffer.from("\nendstream"),
        ]),
      ];
    }),
  ];
  let file = Buffer.from("%PDF-1.4\n");
  const places = objects.map((body, index) => {
    const at = file.length;
    file = Buffer.concat([
      file,
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(body as string),
      Buffer.from("\nendobj\n"),
    ]);
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${places.length + 1}\n0000000000 65535 f \n${places.join("")}`;
  return Buffer.concat([
    file,
    Buffer.from(`${table}trailer\n<< /Size ${places.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`),
  ]);
}

describe("S-14 text of a file", () => {
  it("is read as UTF-8, as UTF-16 with a byte order mark, or else as Windows-1252", async () => {
    expect(await plain("Grüße, 世界")).toEqual({ text: "Grüße, 世界", isCut: false });
    expect((await plain(Buffer.from("\ufeffGrüße", "utf16le"))).text).toBe("Grüße");
    expect((await plain(Buffer.from("\ufeffGrüße", "utf16le").swap16())).text).toBe("Grüße");
    expect((await plain(Buffer.from("Gr\xfc\xdfe", "latin1"))).text).toBe("Grüße");
  });

  it("is truncated at a megabyte, at a character boundary, and marked as truncated", async () => {
    const { text, isCut } = await plain("é".repeat(TEXT_BYTES_MAX));
    expect([Buffer.byteLength(text) <= TEXT_BYTES_MAX, isCut, text.endsWith("é")]).toEqual([true, true, true]);
  });

  it("is empty if the bytes are not text, whatever the name says", async () => {
    expect((await plain(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]))).text).toBe("");
  });

  it("loses invisible characters, which JSON would escape with six characters each", async () => {
    expect((await plain(`a\u007fb${"\ufeff".repeat(3)}c\n`)).text).toBe("abc");
  });

  it("is extracted from Word: paragraphs, tabs, breaks, notes", async () => {
    const text = await document("docx", {
      "[Content_Types].xml": "<Types/>",
      "word/document.xml":
        "<w:document><w:body><w:p><w:r><w:t>Dear Nora,</w:t></w:r></w:p><w:p><w:r><w:t>rent</w:t><w:tab/><w:t>700 &amp; more</w:t><w:br/><w:t>due</w:t></w:r></w:p></w:body></w:document>",
      "word/footnotes.xml": "<w:footnotes><w:p><w:t>a note</w:t></w:p></w:footnotes>",
    });
    expect(text).toBe("Dear Nora,\nrent\t700 & more\ndue\n\na note");
  });

  it("is extracted from Excel: cells by row, shared strings, numbers, inline strings", async () => {
    const text = await document("xlsx", {
      "xl/worksheets/sheet1.xml":
        '<worksheet><sheetData><row><c t="s"><v>1</v></c><c><f>A1*2</f><v>42</v></c></row><row><c t="inlineStr"><is><t>here</t></is></c><c t="s"><v>0</v></c></row></sheetData></worksheet>',
      "xl/sharedStrings.xml": "<sst><si><t>zero</t></si><si><r><t>o</t></r><r><t>ne</t></r></si></sst>",
    });
    expect(text).toBe("one\t42\nhere\tzero");
  });

  it("is extracted from PowerPoint: slides in order, then notes", async () => {
    const slide = (text: string): string => `<p:sld><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`;
    const text = await document("pptx", {
      "ppt/notesSlides/notesSlide1.xml": slide("spoken"),
      "ppt/slides/slide10.xml": slide("ten"),
      "ppt/slides/slide2.xml": slide("two"),
    });
    expect(text.split(/\n+/)).toEqual(["two", "ten", "spoken"]);
  });

  it("is extracted from OpenDocument: headings, paragraphs with spans, cells", async () => {
    const text = await document("opendocument", {
      "content.xml":
        "<office:text><text:h>Title</text:h><text:p>one <text:span>two</text:span><text:s/>three</text:p><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row></office:text>",
    });
    expect(text).toBe("Title\none two three\na");
  });

  it("is extracted from PDF: the words of each page, compressed or not; a damaged or invalid PDF is refused", async () => {
    const text = (await extract("pdf", pdfOf(["Invoice 2019-07", "Second page (with brackets)"]))).text;
    expect(text).toBe("Invoice 2019-07\n\nSecond page (with brackets)");
    expect((await extract("pdf", pdfOf(["Packed"], deflateSync))).text).toBe("Packed");
    expect((await extract("pdf", pdfOf([""]))).text).toBe("");
    const { text: long, isCut } = await extract(
      "pdf",
      pdfOf(Array.from({ length: 12 }, () => `${"word ".repeat(20)}\n`.repeat(1000))),
    );
    expect([long.length, isCut]).toEqual([TEXT_BYTES_MAX, true]);
    await expect(extract("pdf", Buffer.from("no pdf at all"))).rejects.toThrow();
    await expect(extract("pdf", Buffer.from("%PDF-1.4\n%%EOF"))).rejects.toThrow();
  });

  it("SECURITY row 16: a document type declaration, endless nesting, broken XML or a zip bomb is refused without being expanded", async () => {
    const word = (xml: string) => extract("docx", zip({ "word/document.xml": xml }));
    await expect(word('<!DOCTYPE x [<!ENTITY a "b">]><w:t>&a;</w:t>')).rejects.toThrow("DOCTYPE");
    await expect(word("<w:t>".repeat(5000))).rejects.toThrow("nested more than");
    await expect(word("<w:p><w:t>a</w:p>")).rejects.toThrow();
    await expect(extract("docx", Buffer.from("no zip"))).rejects.toThrow();
    await expect(extract("docx", zip({ "other.xml": "<a/>" }))).rejects.toThrow("no document");
    const bomb = zip({ "word/document.xml": `<w:p><w:x a="${" ".repeat(80 * 1024 * 1024)}"/></w:p>` });
    await expect(extract("docx", bomb)).rejects.toThrow(/unfolds|more than/);
  });
});

describe("text formats", () => {
  it("are recognised by file name", () => {
    const of = (name: string): TextFormat | undefined => formatOf(name, extensionOf(name));
    for (const name of ["a.txt", "b.md", "c.py", "d.csv", "e.json", "README", "Makefile", "x.PHP", "k.ts"])
      expect([name, of(name)]).toEqual([name, "plain"]);
    expect(of("Letter.DOCX")).toBe("docx");
    expect(of("scan.pdf")).toBe("pdf");
    expect(of("sums.ods")).toBe("opendocument");
    for (const name of ["a.jpg", "b.bin", "noextension", "c.zip", ".profile"])
      expect([name, of(name)]).toEqual([name, undefined]);
  });
});

describe("S-13 reading files for their text", () => {
  it("never follows a link, and survives a file that crashes its parser", async () => {
    const root = temporary("text");
    mkdirSync(join(root, "in"));
    writeFileSync(join(root, "in", "a.txt"), "hello");
    writeFileSync(join(root, "in", "b.docx"), zip({ "word/document.xml": "<w:p><w:t>x</w:t>" }));
    symlinkSync("/etc", join(root, "out"));
    symlinkSync("/etc/passwd", join(root, "in", "passwd.txt"));
    const extractor = new Extractor(Buffer.from(root), new Set());
    onTestFinished(() => extractor.close());
    const read = (format: TextFormat, ...names: string[]) =>
      extractor.textOf(
        names.map((name) => Buffer.from(name)),
        { format, size: 100_000 },
      );
    const nothing = { isCut: false, problem: true };
    expect(await read("plain", "out", "passwd")).toEqual(nothing);
    expect(await read("plain", "in", "passwd.txt")).toEqual(nothing);
    expect(await read("plain", "in", "gone.txt")).toEqual(nothing);
    expect(await read("docx", "in", "b.docx")).toEqual(nothing);
    expect(await read("plain", "in", "a.txt")).toEqual({ text: "hello", isCut: false, problem: false });
    const withoutTime = new Extractor(Buffer.from(root), new Set(), { silenceMs: 0 });
    onTestFinished(() => withoutTime.close());
    expect(await withoutTime.textOf([Buffer.from("in"), Buffer.from("a.txt")], { format: "plain", size: 5 })).toEqual(
      nothing,
    );
  });
});
