// Bodies without a charset: UTF-8 stays UTF-8, and anything else is decoded as Windows-1252.
import { describe, expect, it } from "vitest";
import { parseReadable } from "./charsets.ts";

const HEAD = "From: ann@example.com\nDate: Fri, 1 Mar 2024 10:00:00 +0100\n";
const bytes = (text: string): Buffer => Buffer.from(text, "latin1");
const textIn = async (mail: Buffer): Promise<string> => {
  const { text, html } = await parseReadable(mail);
  return `${text ?? ""}${html ?? ""}`.trim();
};

describe("I-02 a body without a charset", () => {
  it.each([
    ["no Content-Type", "\ncaf\xe9 \x80 5"],
    ["Content-Type without charset", "Content-Type: text/plain\nContent-Transfer-Encoding: 8bit\n\ncaf\xe9 \x80 5"],
    ["format=flowed over two lines", "Content-Type: text/plain;\n format=flowed\n\ncaf\xe9 \x80 5"],
    ["quoted-printable", "Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\ncaf=E9 =80 5"],
    [
      "a part of a multipart message",
      "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\ncaf\xe9 \x80 5\n--b--",
    ],
  ])("%s is decoded as Windows-1252", async (_what, rest) => {
    expect(await textIn(bytes(`${HEAD}${rest}`))).toBe("café € 5");
  });

  it("stays UTF-8 if it is valid UTF-8, even if the original contains a replacement character", async () => {
    const mail = (text: string): Buffer => Buffer.from(`${HEAD}Content-Type: text/plain\n\n${text}`);
    expect(await textIn(mail("café €"))).toBe("café €");
    expect(await textIn(mail("caf\ufffd é"))).toBe("caf\ufffd é");
  });

  it("is decoded as Windows-1252 if it declares UTF-8 but is not valid UTF-8", async () => {
    const said = "Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: quoted-printable\n\n";
    expect(await textIn(bytes(`${HEAD}${said}Fr=F6sche =FCber`))).toBe("Frösche über");
    expect(await textIn(bytes(`${HEAD}${said}Fr=C3=B6sche =FCber`))).toBe("Frösche \ufffdber");
  });

  it("keeps a declared charset", async () => {
    const cyrillic = bytes(`${HEAD}Content-Type: text/plain;\n charset=koi8-r\n\n\xd0\xd2\xc9\xd7\xc5\xd4`);
    expect(await textIn(cyrillic)).toBe("привет");
  });
});
