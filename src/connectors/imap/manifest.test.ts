// connector.json: a valid manifest, and a declaration that matches the mail importer's.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { mailDeclaration } from "../../collect/importers/mail/declaration.ts";
import type { JsonSchema } from "../../contract/declaration.ts";
import { parseManifest } from "../../core/connector-check.ts";
import { compileSchema } from "../../core/record-schema.ts";
import { drive, newKept } from "./drive.fixture.ts";
import { startMailServer } from "./mail-server.fixture.ts";
import { mail, settingsOf } from "./mailbox.fixture.ts";

const manifest = parseManifest(JSON.parse(readFileSync(new URL("connector.json", import.meta.url), "utf8")));

/** The schema without descriptions and without the fields for attached files. */
function shapeOf(schema: JsonSchema): unknown {
  const { attachments: _, ...properties } = schema.properties!;
  return JSON.parse(
    JSON.stringify({ ...schema, properties }, (name, value) => (name === "description" ? undefined : value)),
  );
}

it("P-05 the IMAP connector declares the stream of the mail importer, except for the bytes of attached files", () => {
  const [own] = manifest.declaration.streams;
  const [imported] = mailDeclaration.streams;
  const { schema, display, ...rest } = own!;
  const { schema: importedSchema, display: importedDisplay, ...importedRest } = imported!;
  expect(rest).toEqual(importedRest);
  expect(shapeOf(schema)).toEqual(shapeOf(importedSchema));
  expect(display?.label).toBe(importedDisplay?.label);
  expect(Object.keys(schema.properties!.attachments!.items!.properties!)).toEqual([
    "filename",
    "mime_type",
    "inline",
    "size_bytes",
  ]);
});

it("P-05 the records match the declaration", async () => {
  const server = await startMailServer();
  const file = [
    "--b",
    "Content-Type: image/png; name=a.png",
    "Content-Disposition: attachment",
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.from("bytes").toString("base64"),
    "--b--",
  ];
  const extra = ["Content-Type: multipart/mixed; boundary=b", "Bcc: cy@example.com", "List-Id: <l.example.com>"];
  server.append("INBOX", mail("a@example.com", { extra, body: file.join("\r\n") }), [
    "\\Flagged",
    "\\Draft",
    "\\Deleted",
  ]);
  server.append("INBOX", "\r\n\r\n");
  server.append("INBOX", "Subject: nothing else\r\n\r\n");
  const kept = newKept();
  await drive({ settings: settingsOf(server), kept });
  await server.close();
  expect(kept.records.size).toBe(3);
  const check = compileSchema(manifest.declaration.streams[0]!.schema);
  for (const data of kept.records.values()) expect(check(data), JSON.stringify(check.errors)).toBe(true);
  expect(kept.records.get("a@example.com")).toMatchObject({
    starred: true,
    draft: true,
    deleted: true,
    attachments: [{ filename: "a.png", mime_type: "image/png", inline: false, size_bytes: 5 }],
    has_attachments: true,
  });
});
