// Mail from real programs: single messages compared with another parser's results, and mailbox files.
import { describe, expect, it } from "vitest";
import { wholeEntry } from "../../src/collect/entry.ts";
import { collect, recognised, recordsOf, refusals } from "../../src/collect/importer.fixture.ts";
import { repeatsAndResumes } from "../../src/collect/importers/hostile.fixture.ts";
import { mailImporter } from "../../src/collect/importers/mail/importer.ts";
import { noSamples, sample, samplesIn } from "./samples.ts";

/** The result format of stalwartlabs/mail-parser. */
interface Expected {
  parts: { headers: { name: unknown; value: unknown }[] }[];
}
interface Value {
  Text?: string;
  Address?: { List?: { address?: string }[]; Group?: { addresses: { address?: string }[] }[] };
  DateTime?: Record<"year" | "month" | "day" | "hour" | "minute" | "second" | "tz_hour" | "tz_minute", number> & {
    tz_before_gmt: boolean;
  };
}

describe.skipIf(noSamples)("P-05 single messages", () => {
  const files = noSamples ? [] : samplesIn("mail-eml");
  const messages = files.filter(({ path }) => path.endsWith(".eml"));

  it("all of them (find mail-eml -name '*.eml' | wc -l) are recognised and read", async () => {
    expect(messages).toHaveLength(107);
    for (const entry of messages) {
      expect(recognised(mailImporter, entry.path, await wholeEntry(entry, 1e7))?.score).toBeGreaterThanOrEqual(40);
      expect(recordsOf(await collect(mailImporter, [entry]))).toHaveLength(1);
    }
    expect(await refusals(mailImporter, messages)).toEqual([]);
  });

  it("sender, subject, date and Message-ID match mail-parser's JSON", async () => {
    const different: string[] = [];
    for (const entry of messages) {
      const beside = files.find(({ path }) => path === entry.path.replace(/\.eml$/, ".json"))!;
      const { parts } = JSON.parse((await wholeEntry(beside, 1e7)).toString()) as Expected;
      const header = (name: string): Value | undefined =>
        parts[0]!.headers.find((one) => one.name === name)?.value as Value | undefined;
      const from = header("from")?.Address;
      const sender = (from?.List ?? from?.Group?.[0]?.addresses)?.[0]?.address?.toLowerCase();
      const { data } = recordsOf(await collect(mailImporter, [entry]))[0]!;
      const subject = header("subject")?.Text ?? "";
      if ((data.from_address ?? "") !== (sender ?? "")) different.push(`${entry.path} from`);
      if ((data.message_id ?? "") !== (header("message_id")?.Text ?? "")) different.push(`${entry.path} id`);
      if (data.sent_at !== instantOf(header("date")?.DateTime)) different.push(`${entry.path} date`);
      // If mail-parser found no charset, our result can be better.
      if (data.subject !== subject && !subject.includes("\ufffd")) different.push(`${entry.path} subject`);
    }
    // Two subjects are in UTF-7, which current runtimes do not decode.
    expect(different).toEqual(["legacy/001.eml subject", "legacy/005.eml subject"]);
  });

  function instantOf(date: Value["DateTime"]): string | undefined {
    if (date === undefined) return undefined;
    const zone = (date.tz_before_gmt ? 1 : -1) * (date.tz_hour * 60 + date.tz_minute);
    const time = Date.UTC(date.year, date.month - 1, date.day, date.hour, date.minute + zone, date.second);
    return `${new Date(time).toISOString().slice(0, 19)}Z`;
  }
});

describe.skipIf(noSamples)("I-02 mailbox files with unusual separators", () => {
  // The samples' README or grep -ac '^From ' gives the number of messages. The plan and the run agree.
  it.each([
    ["dovecot-crlf", 39],
    ["edge_cases.mbox", 7],
    ["gmail-takeout-niimpy.mbox", 6],
    ["thunderbird-mbox_mboxrd", 2],
    ["thunderbird-mbox_modern", 2],
    ["thunderbird-mbox_unquoted", 2],
    ["tika-complex.mbox", 3],
    ["tika-testMBOX_lengthy_x-headers.mbox", 1],
  ])("%s has %i messages", async (name, messages) => {
    const entry = sample(`second-round/mail-mbox-odd/${name}`);
    expect(recognised(mailImporter, entry.path, await wholeEntry(entry, 1e7))?.reason).toBe("mail folder (mbox)");
    const events = await collect(mailImporter, [entry]);
    expect(events.filter(({ kind }) => kind === "record" || kind === "skip" || kind === "error")).toHaveLength(
      messages,
    );
    const { streams } = await mailImporter.plan({ entries: [entry] } as never, {});
    expect(streams[0]!.count).toBe(messages);
  });
});

describe.skipIf(noSamples)("P-05 mailbox files", () => {
  // Counted with grep -ac '^From '. For MMDF, it is half of grep -ac '^\x01\x01\x01\x01'. Distinct messages are counted
  // by Message-ID, Date and body without carriage returns and trailing white space, with Python's mailbox.mbox.
  it.each([
    ["attachment.mail", 1, 1],
    ["duplicate_tests.mbox", 10, 7],
    ["export.mbox", 21, 21],
    ["latin1.mbox", 1, 1],
    ["mailbox_mbox", 1, 1],
    ["mailbox_mmdf", 5, 5],
    ["search_api.mbox", 4, 4],
    ["search_api_ford.mbox", 4, 4],
    ["thread.mail", 4, 4],
    ["windows1252.mbox", 1, 1],
  ])("%s has %i messages, of which %i are distinct", async (name, present, different) => {
    const events = await collect(mailImporter, [sample(`mail-mbox/${name}`)]);
    expect(events.filter(({ kind }) => kind !== "checkpoint")).toHaveLength(present);
    expect(recordsOf(events)).toHaveLength(different);
  });

  // Files without envelope lines. Counts lines with the first header's name after a blank line, with awk 'p=="" &&
  // /^To:/ {n++} {sub(/\r/,""); p=$0} END {print n}'.
  it.each([
    ["mailbox-x-envelope-from", 4],
    ["mailbox_envelope-to", 2],
    ["mailbox_return-path", 3],
    ["mailbox_received", 1],
    ["mailbox_to", 15],
    // Has 14 messages. Seven of them start with a different header from the first message, so they are not split off.
    ["mailbox_from", 7],
    // Has four messages, each preceded by a line with the year.
    ["mailbox_year", 1],
  ])("%s contains %i messages", async (name, found) => {
    expect(recordsOf(await collect(mailImporter, [sample(`mail-mbox/${name}`)]))).toHaveLength(found);
  });

  it("all records match their declaration, and a second import changes nothing", async () => {
    const entries = samplesIn("mail-mbox").filter(({ path }) => !/^\.|mail_bad/.test(path));
    expect(await refusals(mailImporter, entries)).toEqual([]);
    await repeatsAndResumes(mailImporter, entries);
  });

  // Read manually.
  it("thread.mail is a thread of three messages and one separate message", async () => {
    const records = recordsOf(await collect(mailImporter, [sample("mail-mbox/thread.mail")]));
    expect(records.map(({ key }) => key)).toEqual([
      "00001@example.com",
      "00002@example.com",
      "00003@example.com",
      "00004@example.com",
    ]);
    expect(records.map(({ data }) => data.thread_id)).toEqual([
      "00001@example.com",
      "00001@example.com",
      "00003@example.com",
      "00001@example.com",
    ]);
  });

  it("windows1252.mbox keeps its quotation marks and stores its attachment as a blob", async () => {
    const { data } = recordsOf(await collect(mailImporter, [sample("mail-mbox/windows1252.mbox")]))[0]!;
    expect(data.body).toMatch(/This is a\s+“quoted term”/);
    expect(data).toMatchObject({
      sent_at: "2013-01-22T13:50:02Z",
      attachments: [{ filename: "Attached Message Part", mime_type: "text/plain" }],
    });
  });

  it("X-13 the second message of search_api.mbox is at the offset that grep -ab '^From ' prints", async () => {
    const text = (await wholeEntry(sample("mail-mbox/search_api.mbox"), 1e6)).toString("latin1");
    const places = [...text.matchAll(/^From /gm)].map(({ index }) => index);
    const records = recordsOf(await collect(mailImporter, [sample("mail-mbox/search_api.mbox")]));
    expect(records.map(({ offset }) => offset)).toEqual(places);
  });
});

// The tree contains only names, so its mailbox is empty (find takeout-tree -name '*.mbox' -size 0).
it.skipIf(noSamples)("P-05 no importer accepts the empty mailbox of a Takeout tree", () => {
  const mailboxes = samplesIn("takeout-tree").filter(({ path }) => path.endsWith(".mbox"));
  expect(mailboxes.map(({ path }) => recognised(mailImporter, path, ""))).toEqual([undefined]);
});
