// Messages parsed with and without their attachments. The result equals that of postal-mime, whatever the message looks
// like.
import PostalMime, { type Email } from "postal-mime";
import { describe, expect, it } from "vitest";
import { contentBytes, LIMITS, parseMail } from "./parse-mail.ts";

/** The bytes of an attachment that is large enough to be cut out. */
const FILE = Buffer.from(Array.from({ length: 6000 }, (_, at) => (at * 7919 + (at >> 3)) & 255));
const lines = (bytes: Buffer, end = "\n"): string => bytes.toString("base64").replace(/.{76}/g, `$&${end}`);

const part = (headers: string, body: string): string => `--b\n${headers}\n\n${body}\n`;
const mixed = (...parts: string[]): string =>
  `From: ann@example.com\nSubject: files\nContent-Type: multipart/mixed; boundary="b"\n\n${parts.join("")}--b--\n`;
const PDF = `Content-Type: application/pdf; name="a.pdf"
Content-Disposition: attachment; filename="a.pdf"
Content-Transfer-Encoding: base64`;
const TEXT = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64";
const hello = part("Content-Type: text/plain", "See the base64 file.");

/** As text, so that differences are readable. */
const shown = ({ attachments, ...email }: Email) => ({
  ...email,
  attachments: attachments.map(({ content, ...one }) => ({
    ...one,
    content: contentBytes(content).toString("base64"),
  })),
});

async function expectSame(mail: Buffer | string): Promise<Email> {
  const bytes = Buffer.from(mail as string);
  const email = await parseMail(bytes);
  expect(shown(email)).toEqual(shown(await PostalMime.parse(bytes, LIMITS)));
  return email;
}

describe("P-05 a message parsed without its attachments and reassembled equals what postal-mime reads", () => {
  const long = lines(FILE);
  const inner = mixed(hello, part(PDF, long));
  it.each<[string, string]>([
    ["an attachment", mixed(hello, part(PDF, long))],
    ["two equal attachments", mixed(part(PDF, long), hello, part(PDF, long))],
    ["CR LF line ends", mixed(hello, part(PDF, long)).replaceAll("\n", "\r\n")],
    ["base64 on one line", mixed(part(PDF, FILE.toString("base64")))],
    ["base64 that needs padding", mixed(part(PDF, lines(FILE.subarray(1))), part(PDF, lines(FILE.subarray(2))))],
    ["blank lines inside the base64", mixed(part(PDF, `\n\n${long}\n\n${long.slice(0, 77 * 4)}\n`))],
    [
      "an attachment that is decoded in pieces",
      mixed(part(PDF, lines(Buffer.concat(Array(60).fill(FILE)), "\n\n").slice(3))),
    ],
    ["an attachment that is too small to be cut out", mixed(part(PDF, lines(FILE.subarray(0, 99))))],
    ["capitals", mixed(part(PDF.toUpperCase().replace("A.PDF", "a.pdf"), long))],
    ["a message that consists of one attachment", `From: a@example.com\n${PDF}\n\n${long}`],
    ["an attachment without an end", mixed(part(PDF, long)).replace("--b--\n", "")],
    ["a text in base64", mixed(part(TEXT, lines(Buffer.from("Grüße ".repeat(900)))))],
    ["an attached text in base64", mixed(part(`${TEXT}\nContent-Disposition: attachment`, long))],
    ["a part without a Content-Type", mixed(part("Content-Transfer-Encoding: base64", long))],
    ["a complete message inside", mixed(hello, part("Content-Type: message/rfc822", inner.replaceAll('"b"', '"b2"')))],
    [
      "a message inside that uses the boundary of the outer one",
      mixed(hello, part("Content-Type: message/rfc822", inner)),
    ],
    [
      "a message inside, in base64",
      mixed(part(`${PDF.replace("application/pdf", "message/rfc822")}`, lines(Buffer.from(inner)))),
    ],
    ["padding in the middle", mixed(part(PDF, `${lines(FILE.subarray(1))}\n${long}`))],
    ["padding on every line", mixed(part(PDF, "aGVsbG8=\n".repeat(400)))],
    ["digits that do not fill a group", mixed(part(PDF, long.slice(0, -5)))],
    ["one digit too many", mixed(part(PDF, `${long}A`))],
    ["a following line of dashes that is not a boundary", mixed(part(PDF, `${long}\n--A`))],
    ["following dashes and digits that are not a boundary", mixed(part(PDF, `${long.slice(0, -5)}\n--AB\n`))],
    ["characters outside base64", mixed(part(PDF, `${long}\n!!\n${long}`), part(PDF, long.replace("\n", " \n")))],
    ["characters of base64url", mixed(part(PDF, long.replaceAll("+", "-").replaceAll("/", "_")))],
    [
      "a 7bit text that begins like a base64 part",
      mixed(part(PDF.replace("base64", "7bit"), `Content-Transfer-Encoding: base64\n\n${long}`)),
    ],
    ["a boundary that never occurs", mixed(hello, part(PDF, long)).replaceAll("--b\n", "--c\n")],
    ["the word base64 only in the headers", `Subject: base64\n\n${long}`],
    ["the word base64 in the text", `Subject: x\n\n${"base64\n\n".repeat(500)}${long}`],
  ])("%s", async (_name, mail) => {
    await expectSame(mail);
  });

  it("with an unchanged attachment", async () => {
    const { attachments } = await expectSame(mixed(hello, part(PDF, long)));
    expect(contentBytes(attachments[0]!.content).equals(FILE)).toBe(true);
  });

  it("for randomly damaged messages", async () => {
    const seed = mixed(
      hello,
      part(PDF, long),
      part(TEXT, lines(FILE.subarray(0, 2500))),
      part("Content-Type: message/rfc822", inner),
    );
    let state = 1;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % below;
    };
    for (let round = 0; round < 60; round++) {
      const bytes = Buffer.from(seed);
      for (let damage = random(4); damage >= 0; damage--) {
        const at = random(bytes.length);
        const what = random(3);
        if (what === 0) bytes[at] = random(256);
        else if (what === 1) bytes.copy(bytes, at, random(bytes.length), bytes.length - random(bytes.length));
        else bytes.write(["\n", "\n\n", "--b\n", "base64", "=", ": "][random(6)]!, at);
      }
      await expectSame(random(3) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes);
    }
  });

  it("for a message that declares base64 everywhere", async () => {
    await expectSame(`Subject: x\n\n${"base64\n".repeat(20_000)}`);
    await expectSame(`Subject: x\n\n${"base64".repeat(20_000)}`);
  });
});
