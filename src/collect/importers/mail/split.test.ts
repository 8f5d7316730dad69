// Mailbox files in chunks: where a message begins and ends, in each of the four mbox variants and in MMDF.
import { describe, expect, it } from "vitest";
import { memoryEntry } from "../../importer.fixture.ts";
import { MESSAGE_BYTES_MAX, splitMbox, splitMmdf } from "./split.ts";
import { splitBare } from "./split-bare.ts";

const ENVELOPE = "From ann@example.com Wed Aug 21 16:20:36 2013\n";

async function bodies(text: string, from = 0): Promise<string[]> {
  const found: string[] = [];
  for await (const raw of splitMbox(memoryEntry("x.mbox", text), from)) {
    found.push("tooLarge" in raw ? "too large" : raw.bytes.toString("latin1").replace(/^[\s\S]*?\r?\n\r?\n/, ""));
  }
  return found;
}

describe("an mbox", () => {
  it("ends a message at the next envelope line", async () => {
    const text = `${ENVELOPE}Subject: 1\n\none\n\n${ENVELOPE}Subject: 2\n\ntwo\n`;
    expect(await bodies(text)).toEqual(["one\n\n", "two\n"]);
  });

  it("accepts CR LF line endings, and blank lines before the first message", async () => {
    const text = `\n${ENVELOPE}Subject: 1\n\none\n\n${ENVELOPE}Subject: 2\n\ntwo\n`.replaceAll("\n", "\r\n");
    expect(await bodies(text)).toEqual(["one\r\n\r\n", "two\r\n"]);
  });

  it("accepts Gmail's envelope lines, which have the zone before the year", async () => {
    const gmail = "From 1786@xxx Mon Jan 01 00:00:00 +0000 2024\nX-GM-THRID: 1786\n\n";
    expect(await bodies(`${gmail}one\n\n${gmail}two\n`)).toEqual(["one\n\n", "two\n"]);
  });

  it("recognises a message without a blank line before it by the header that follows", async () => {
    expect(await bodies(`${ENVELOPE}Subject: 1\n\none\n${ENVELOPE}Subject: 2\n\ntwo\n`)).toEqual(["one\n", "two\n"]);
  });

  it("does not end a message at a sentence that begins with From", async () => {
    const body = "Hello,\n\nFrom what I saw at 10:30 in 2013 it is fine.\nBye\n\nFrom here on it is text.\n";
    expect(await bodies(`${ENVELOPE}Subject: 1\n\n${body}`)).toEqual([body]);
  });

  it("I-02 splits at separators without a date if mail headers follow", async () => {
    const headers = "From: Ann <ann@example.com>\nDate: Wed, 22 Aug 2005 17:20:08 +0000\n";
    for (const separator of [
      "From ",
      "From -",
      "From - ",
      "From ann@example.com",
      "From ann@example.com 22 Aug 2005",
    ]) {
      const text = [1, 2, 3].map((number) => `${separator}\n${headers}Subject: ${number}\n\n${number}\n\n`).join("");
      expect(await bodies(text), separator).toEqual(["1\n\n", "2\n\n", "3\n\n"]);
      expect(await bodies(text.replaceAll("\n", "\r\n")), `${separator} CRLF`).toHaveLength(3);
      expect(await bodies(`${ENVELOPE}Subject: 0\n\n0\n\n${text}`), `${separator} appended`).toHaveLength(4);
      const declared = `${separator}\nContent-Length: 2\n${headers}\n1\n\n`.repeat(3);
      expect(await bodies(declared), `${separator} Content-Length`).toHaveLength(3);
    }
  });

  it("I-02 keeps a From line in the body if text follows it", async () => {
    const body = "Earlier programs did not quote this:\nFrom \nThis is text: see below.\n\nFrom \nand: this\n";
    expect(await bodies(`From \nFrom: ann@example.com\nDate: x\n\n${body}`)).toEqual([body]);
  });

  it("removes one > from quoted lines (mboxo, mboxrd)", async () => {
    const body = ">From one\n>>From two\n> From a friend\nx >From three\n";
    expect(await bodies(`${ENVELOPE}Subject: 1\n\n${body}`)).toEqual([
      "From one\n>From two\n> From a friend\nx >From three\n",
    ]);
  });

  it("trusts a Content-Length that leads to the next message (mboxcl2), and then removes no quoting", async () => {
    const body = `first\n\n${ENVELOPE}Subject: inside\n\n>From quoted by its writer\n`;
    const text = `${ENVELOPE}Content-Length: ${body.length}\nSubject: 1\n\n${body}\n${ENVELOPE}Subject: 2\n\ntwo\n`;
    expect(await bodies(text)).toEqual([`${body}\n`, "two\n"]);
  });

  it("does not trust a Content-Length that leads elsewhere", async () => {
    const text = `${ENVELOPE}Content-Length: 99\nSubject: 1\n\none\n\n${ENVELOPE}Subject: 2\n\n${"two ".repeat(40)}\n`;
    expect(await bodies(text)).toHaveLength(2);
  });

  it("continues at the byte where a message ends", async () => {
    const text = [1, 2, 3, 4]
      .map((number) => `${ENVELOPE}Subject: ${number}\n\n${`${number} `.repeat(700)}\n\n`)
      .join("");
    for await (const raw of splitMbox(memoryEntry("x.mbox", text), 0)) {
      expect(text.slice(raw.offset).startsWith(ENVELOPE)).toBe(true);
      expect(await bodies(text, raw.end)).toEqual(await bodies(text.slice(raw.end)));
    }
  });

  it("skips a message that is too large, and reports its location", async () => {
    const line = Buffer.alloc(1024 * 1024, "x\n");
    const entry = {
      ...memoryEntry("x.mbox", ""),
      async *open() {
        yield Buffer.from(`${ENVELOPE}Subject: 1\n\none\n\n${ENVELOPE}Subject: 2\n\n`);
        for (let mb = 0; mb <= MESSAGE_BYTES_MAX / line.length; mb++) yield line;
        yield Buffer.from(`\n${ENVELOPE}Subject: 3\n\nthree\n`);
      },
    };
    const found = [];
    for await (const raw of splitMbox(entry, 0)) found.push("tooLarge" in raw ? "too large" : raw.bytes.toString());
    expect(found).toEqual(["Subject: 1\n\none\n\n", "too large", "Subject: 3\n\nthree\n"]);
  });
});

it("an MMDF file has a line of four ^A before and after each message", async () => {
  const bar = "\x01\x01\x01\x01\n";
  const text = `${bar}Subject: 1\n\none\n${bar}${bar}Subject: 2\n\nFrom here\n${bar}`;
  const found: string[] = [];
  for await (const raw of splitMmdf(memoryEntry("x", text), 0)) if ("bytes" in raw) found.push(raw.bytes.toString());
  expect(found).toEqual(["Subject: 1\n\none\n", "Subject: 2\n\nFrom here\n"]);
});

describe("a mailbox file without envelope lines", () => {
  const messages = async (text: string): Promise<number> => {
    let count = 0;
    for await (const _ of splitBare(memoryEntry("list-archive", text), 0)) count++;
    return count;
  };

  it("starts a message at the header that the first message starts with, after a blank line", async () => {
    const mail = (number: number) =>
      `Return-Path: <a@example.com>\nFrom: a@example.com\nDate: Fri, 1 Mar 2024 10:00:00 +0000\n\nText ${number}\n\n`;
    expect(await messages(`\n${mail(1)}${mail(2)}${mail(3)}`)).toBe(3);
    expect(await messages(`\n${mail(1)}${mail(2)}${mail(3)}`.replaceAll("\n", "\r\n"))).toBe(3);
  });

  it("does not start a message at the headers of a forwarded message", async () => {
    const mail =
      "From: a@example.com\nDate: Fri, 1 Mar 2024 10:00:00 +0000\nSubject: x\n\nSee below\n\nFrom: b@example.com\nSent: Thursday\nTo: a\n\nHi\n";
    expect(await messages(mail)).toBe(1);
  });
});
