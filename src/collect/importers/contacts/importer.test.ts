// Address books of all three versions, as programs really write them.
import { describe, expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { contactsImporter } from "./importer.ts";

const card = (version: string, lines: string): string =>
  `BEGIN:VCARD\r\nVERSION:${version}\r\n${lines.trim().replaceAll("\n", "\r\n")}\r\nEND:VCARD\r\n`;
const contacts = async (...files: (string | Buffer)[]) =>
  recordsOf(
    await collect(
      contactsImporter,
      files.map((text, index) => memoryEntry(`${index}.vcf`, text)),
    ),
  );

const V2 = card(
  "2.1",
  `N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6rg;;Dr.;
FN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Dr. J=F6rg M=FCller
TEL;CELL;PREF:+49 170 1
TEL;HOME;FAX:+49 30 2
NOTE;ENCODING=QUOTED-PRINTABLE:first=0D=0A=
second
PHOTO;JPEG;ENCODING=BASE64:
 /9j/4AAQ
 SkZJRg==

BDAY:19800322
REV:20120305T131933Z`,
);
const V3 = card(
  "3.0",
  `UID:abc-1
N:Doe;Jane;Q.;;Jr.
FN:Jane Q. Doe\\, Jr.
ORG:Acme\\; Inc.;Research;Lab 2
TITLE:Engineer
item1.EMAIL;TYPE=INTERNET:jane@home.example
EMAIL;TYPE=INTERNET,WORK,PREF:Jane@Work.example
item1.X-ABLabel:_$!<Home>!$_
item2.TEL:555
item2.X-ABLabel:Boat
ADR;TYPE=HOME:;Apt 3;1 Main St;Springfield;IL;62701;USA
URL:http\\://example.com
BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-03
CATEGORIES:Friends,Chess\\, club
NOTE:A long note that is fol
 ded in the middle\\nwith a second line
X-SKYPE:jane.q
item3.X-ABRELATEDNAMES:Bob
item3.X-ABLabel:_$!<Spouse>!$_`,
);
const V4 = card(
  "4.0",
  `UID:urn:uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1
FN:Café Org
KIND:org
TEL;VALUE=uri;PREF=1;TYPE="work,voice":tel:+1-555-0100
EMAIL:hi@cafe.example
PHOTO:data:image/png;base64,iVBORw0KGgo=
BDAY:--0415
ANNIVERSARY:20090808T1430-0500
IMPP:xmpp:cafe@chat.example`,
);

describe("P-05 an address book", () => {
  it("is recognised by its first line", () => {
    expect(recognised(contactsImporter, "x", `\ufeff${V3}`)?.score).toBe(95);
    expect(recognised(contactsImporter, "contacts.vcf", "hello")).toBeUndefined();
  });

  it("of version 2.1 is read, including quoted-printable text, a code page and a picture", async () => {
    const [one] = await contacts(V2);
    expect(one!.data).toEqual({
      id: one!.key,
      name: "Dr. Jörg Müller",
      given_name: "Jörg",
      family_name: "Müller",
      prefix: "Dr.",
      phone: "+49 170 1",
      emails: [],
      phones: [
        { number: "+49 170 1", type: "cell" },
        { number: "+49 30 2", type: "home, fax" },
      ],
      addresses: [],
      links: [],
      accounts: [],
      relations: [],
      birthday: "1980-03-22",
      categories: [],
      note: "first\nsecond",
      photo: { blob_id: "blob_10", mime_type: "image/jpeg", size_bytes: 10, sha256: "0".repeat(64) },
      updated_at: "2012-03-05T13:19:33.000Z",
    });
  });

  it("of version 3.0 is read, including escapes, folds and Apple's labels", async () => {
    const [one] = await contacts(V3);
    expect(one).toMatchObject({
      key: "abc-1",
      data: {
        name: "Jane Q. Doe, Jr.",
        additional_name: "Q.",
        organisation: "Acme; Inc.",
        department: "Research, Lab 2",
        email: "jane@work.example",
        emails: [
          { address: "Jane@Work.example", type: "work" },
          { address: "jane@home.example", type: "home" },
        ],
        phones: [{ number: "555", type: "boat" }],
        addresses: [{ text: "Apt 3\n1 Main St\n62701 Springfield IL\nUSA", city: "Springfield", type: "home" }],
        links: [{ url: "http://example.com" }],
        birthday_text: "--02-03",
        categories: ["Friends", "Chess, club"],
        note: "A long note that is folded in the middle\nwith a second line",
        accounts: [{ service: "skype", handle: "jane.q" }],
        relations: [{ name: "Bob", relation: "spouse" }],
      },
    });
  });

  it("of version 4.0 is read", async () => {
    const [one] = await contacts(V4);
    expect(one).toMatchObject({
      key: "4fbe8971-0bc3-424c-9c26-36c3e1eff6b1",
      data: {
        name: "Café Org",
        kind: "org",
        phone: "+1-555-0100",
        birthday_text: "--04-15",
        anniversary: "2009-08-08",
        photo: { mime_type: "image/png" },
        accounts: [{ service: "xmpp", handle: "cafe@chat.example" }],
      },
    });
  });

  it("with bytes of an old code page is read", async () => {
    const latin = Buffer.from(card("3.0", "FN:Ren\xe9"), "latin1");
    const cyrillic = Buffer.from(card("2.1", "FN;CHARSET=windows-1251:\xc0\xed\xed\xe0"), "latin1");
    expect((await contacts(latin, cyrillic)).map(({ data }) => data.name)).toEqual(["René", "Анна"]);
  });

  it("keeps the key of a card without a UID when a number is added to the card", async () => {
    const before = card("3.0", "FN:Ann\nEMAIL:ann@example.com");
    const after = card("3.0", "FN:Ann\nEMAIL:ann@example.com\nTEL:1");
    expect((await contacts(before))[0]!.key).toBe((await contacts(after))[0]!.key);
  });

  it("keeps the newest of several copies, and reports the others as skipped", async () => {
    const old = card("3.0", "UID:1\nFN:Old\nREV:2020-01-01T00:00:00Z");
    const young = card("3.0", "UID:1\nFN:New\nREV:2024-01-01T00:00:00Z");
    const events = await collect(contactsImporter, [memoryEntry("a.vcf", old + young), memoryEntry("b.vcf", old)]);
    expect(recordsOf(events).map(({ data }) => data.name)).toEqual(["New"]);
    expect(events.filter(({ kind }) => kind === "skip")).toHaveLength(2);
  });

  it("reports one error for an invalid card and continues", async () => {
    const text = `BEGIN:VCARD\nVERSION:3.0\nFN:No end\n${V3}BEGIN:VCARD\nVERSION:3.0\nEND:VCARD\n${V4}BEGIN:VCARD\nFN:cut`;
    const events = await collect(contactsImporter, [memoryEntry("x.vcf", text)]);
    expect(events.map(({ kind }) => kind)).toEqual(["error", "record", "error", "record", "error", "checkpoint"]);
  });

  it("can contain the card of an assistant inside another card", async () => {
    const outer = `BEGIN:VCARD\nVERSION:2.1\nFN:Boss\nAGENT:\n${card("2.1", "FN:Assistant")}TEL:1\nEND:VCARD\n`;
    const records = await contacts(outer);
    expect(records.map(({ data }) => [data.name, data.phone])).toEqual([
      ["Assistant", undefined],
      ["Boss", "1"],
    ]);
  });
});

describe("P-05 a run", () => {
  const entries = [memoryEntry("a.vcf", V2 + V3 + V4), memoryEntry("b.vcf", V3)];
  it("matches its declaration, produces the same records again, and survives damaged files", async () => {
    expect(await refusals(contactsImporter, entries)).toEqual([]);
    await repeatsAndResumes(contactsImporter, entries);
    await hostile(contactsImporter, "a.vcf", Buffer.from(V2 + V3 + V4));
  });

  it("X-13 reports the location of each card", async () => {
    expect((await contacts(V2 + V3)).map(({ offset }) => offset)).toEqual([0, V2.length]);
  });

  it("counts the cards in its plan", async () => {
    expect((await contactsImporter.plan({ name: "x", entries }, {})).streams).toEqual([
      {
        stream: "contacts",
        count: 4,
        files: [
          { path: "a.vcf", count: 3 },
          { path: "b.vcf", count: 1 },
        ],
      },
    ]);
  });
});
