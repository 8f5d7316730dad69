// WhatsApp exports in the formats of iOS and Android, written by hand, so that every message is known.
import { describe, expect, it } from "vitest";
import { parseDeclaration } from "../../../core/declaration-check.ts";
import { collect, memoryEntry, recognised, recordsOf } from "../../importer.fixture.ts";
import { hostileTogether, repeatsAndResumes } from "../hostile.fixture.ts";
import { whatsappDeclaration } from "./declaration.ts";
import { whatsappImporter } from "./importer.ts";

const answers = { time_zone: "Europe/Dublin" };
const ios = [
  "[13/02/2019, 09:00:00] Walkers: \u200eMessages and calls are end-to-end encrypted.",
  "[13/02/2019, 09:00:01] Ann: Hello",
  "two lines: of it",
  "[13/02/19, 09:00:00] pasted from elsewhere",
  "[13/07/2019, 12:00:00] Bo 🙈: ok",
  "[13/07/2019, 12:00:00] Bo 🙈: ok",
  "\u200e[13/07/2019, 12:00:01] Bo 🙈: Look! \u200e<attached: 00000012-PHOTO-2019-07-13-12-00-01.jpg>",
  "[13/07/2019, 12:00:02] Ann: \u200eimage omitted",
  "\u200e[13/07/2019, 12:00:03] Ann: plan.pdf • \u200e3 pages \u200edocument omitted",
  "[13/07/2019, 12:00:04] Ann: fixed \u200e<This message was edited>",
  "",
].join("\r\n");
const android = [
  "13/02/2019, 09:00 - Messages to this chat are end-to-end encrypted. Tap to learn more.",
  '13/02/2019, 09:01 - Ann changed the subject to "Trip: Kyoto"',
  "13/02/2019, 09:02 - Ann: IMG-20190213-WA0001.jpg (file attached)",
  "a caption",
  "13/02/2019, 09:03 - Bo: <Media omitted>",
  "13/02/2019, 09:04 - Bo:",
  "",
  "👍",
].join("\n");
const photo = "00000012-PHOTO-2019-07-13-12-00-01.jpg";
const entries = [
  memoryEntry("WhatsApp Chat - Walkers.zip/00000099-PHOTO-2019-07-13-12-00-01.jpg", "orphan"),
  memoryEntry(`WhatsApp Chat - Walkers.zip/${photo}`, "jpg"),
  memoryEntry("WhatsApp Chat - Walkers.zip/_chat.txt", ios),
  memoryEntry("WhatsApp Chat with Ann.txt", android),
];

describe("WhatsApp", () => {
  it("has a valid declaration", () => {
    expect(() => parseDeclaration(whatsappDeclaration)).not.toThrow();
  });

  it("V-01 a chat without a name is named after the people in it, in its messages too", async () => {
    const chat = "20/06/2026, 18:02 - Orla: Nine\n20/06/2026, 18:12 - Bo: Fine";
    const events = await collect(whatsappImporter, [memoryEntry("chat.txt", chat)], { answers });
    expect(recordsOf(events, "messages").map(({ data }) => data.chat_name)).toEqual(["Bo, Orla", "Bo, Orla"]);
    expect(recordsOf(events, "chats").map(({ data }) => data.name)).toEqual(["Bo, Orla"]);
  });

  it("P-05 imports an export from iOS", async () => {
    const events = await collect(whatsappImporter, entries.slice(0, 3), { answers });
    const messages = recordsOf(events, "messages").map(({ data: { id: _id, chat_id: _chat, ...data } }) => data);
    const walkers = { chat_name: "Walkers" };
    expect(messages).toEqual([
      {
        ...walkers,
        kind: "system",
        sender_name: "Walkers",
        text: "Messages and calls are end-to-end encrypted.",
        sent_at: "2019-02-13T09:00:00.000Z",
      },
      {
        ...walkers,
        kind: "message",
        sender_name: "Ann",
        text: "Hello\ntwo lines: of it\n[13/02/19, 09:00:00] pasted from elsewhere",
        sent_at: "2019-02-13T09:00:01.000Z",
      },
      { ...walkers, kind: "message", sender_name: "Bo 🙈", text: "ok", sent_at: "2019-07-13T11:00:00.000Z" },
      { ...walkers, kind: "message", sender_name: "Bo 🙈", text: "ok", sent_at: "2019-07-13T11:00:00.000Z" },
      {
        ...walkers,
        kind: "media",
        sender_name: "Bo 🙈",
        text: "Look!",
        sent_at: "2019-07-13T11:00:01.000Z",
        file_name: photo,
        file: { blob_id: "blob_3", mime_type: "image/jpeg", size_bytes: 3, sha256: "0".repeat(64) },
      },
      { ...walkers, kind: "media", sender_name: "Ann", text: "", sent_at: "2019-07-13T11:00:02.000Z" },
      {
        ...walkers,
        kind: "media",
        sender_name: "Ann",
        text: "",
        sent_at: "2019-07-13T11:00:03.000Z",
        file_name: "plan.pdf",
      },
      {
        ...walkers,
        kind: "message",
        sender_name: "Ann",
        text: "fixed",
        sent_at: "2019-07-13T11:00:04.000Z",
        is_edited: true,
      },
    ]);
    expect(new Set(recordsOf(events, "messages").map(({ key }) => key)).size).toBe(8);
    expect(recordsOf(events, "chats").map(({ data: { id: _id, ...data } }) => data)).toEqual([
      {
        name: "Walkers",
        participants: ["Ann", "Bo 🙈"],
        message_count: 8,
        first_message_at: "2019-02-13T09:00:00.000Z",
        last_message_at: "2019-07-13T11:00:04.000Z",
      },
    ]);
    expect(events.filter(({ kind }) => kind === "skip")).toMatchObject([{ reason: "no message refers to this file" }]);
  });

  it("P-05 imports an export from Android", async () => {
    const events = await collect(whatsappImporter, entries.slice(3), { answers });
    expect(
      recordsOf(events, "messages").map(({ data }) => [data.kind, data.sender_name, data.text, data.file_name]),
    ).toEqual([
      ["system", undefined, "Messages to this chat are end-to-end encrypted. Tap to learn more.", undefined],
      ["system", undefined, 'Ann changed the subject to "Trip: Kyoto"', undefined],
      ["media", "Ann", "a caption", "IMG-20190213-WA0001.jpg"],
      ["media", "Bo", "", undefined],
      ["message", "Bo", "👍", undefined],
    ]);
  });

  it("P-05 keeps keys if the chat is exported again later, under another file name, with or without media", async () => {
    const again = [
      memoryEntry(
        "WhatsApp Chat with Ann (1).txt",
        android.replace("IMG-20190213-WA0001.jpg (file attached)\na caption", "<Media omitted>"),
      ),
    ];
    const keys = async (files: typeof entries) =>
      recordsOf(await collect(whatsappImporter, files, { answers })).map(({ key }) => key);
    expect(await keys(again)).toEqual(await keys(entries.slice(3)));
  });

  it("asks for the date order only if it cannot be determined", async () => {
    const open = [memoryEntry("WhatsApp Chat with Bo.txt", "2/11/19, 14:18 - Bo: hi\n2/11/19, 14:19 - Ann: hi\n")];
    const ids = async (files: typeof entries) =>
      (await whatsappImporter.plan({ name: "x", entries: files }, {})).questions!.map(({ id }) => id);
    expect(await ids(open)).toEqual(["date_order", "time_zone"]);
    expect(await ids(entries)).toEqual(["time_zone"]);
    expect(await collect(whatsappImporter, open, { answers })).toMatchObject([
      { kind: "error" },
      { kind: "checkpoint" },
    ]);
    const sent = async (date_order: string) =>
      recordsOf(await collect(whatsappImporter, open, { answers: { ...answers, date_order } }), "messages")[0]!.data
        .sent_at;
    expect(await sent("dmy")).toBe("2019-11-02T14:18:00.000Z");
    expect(await sent("mdy")).toBe("2019-02-11T14:18:00.000Z");
  });

  it("is recognised by the format of its lines, in any language; log files are not", () => {
    expect(recognised(whatsappImporter, "_chat.txt", ios)?.score).toBe(95);
    expect(recognised(whatsappImporter, "ann.txt", android)?.score).toBe(85);
    expect(
      recognised(whatsappImporter, "server.txt", "[2024-01-01 10:00:00] INFO: started\n[2024-01-01 10:00:01] INFO: on"),
    ).toBeUndefined();
    expect(recognised(whatsappImporter, "a.txt", "Dear diary")).toBeUndefined();
    expect(recognised(whatsappImporter, photo, "jpg", ["_chat.txt"])?.score).toBe(96);
    expect(recognised(whatsappImporter, "WhatsApp Chat with Ann.zip/plan.pdf", "%PDF")?.score).toBe(92);
    expect(recognised(whatsappImporter, "WhatsApp/Media/WhatsApp Images/IMG-20190213-WA0001.jpg", "jpg")?.score).toBe(
      40,
    );
    expect(recognised(whatsappImporter, "IMG_0001.jpg", "jpg")).toBeUndefined();
  });

  it("X-13 reports the byte offset at which a message begins", async () => {
    const [, second] = recordsOf(await collect(whatsappImporter, entries.slice(3), { answers }), "messages");
    expect(Buffer.from(android).subarray(second!.offset).toString()).toMatch(/^13\/02\/2019, 09:01/);
  });

  it("P-05 produces the same records in every run, resumes from every checkpoint, and survives damaged files", async () => {
    await repeatsAndResumes(whatsappImporter, entries, answers);
    await hostileTogether(whatsappImporter, entries, answers);
  });
});
