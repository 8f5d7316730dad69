// A Telegram Desktop export, written by hand in the format of Telegram Desktop 4.
import { describe, expect, it } from "vitest";
import { parseDeclaration } from "../../../core/declaration-check.ts";
import { collect, memoryEntry, recognised, recordsOf } from "../../importer.fixture.ts";
import { hostileTogether, repeatsAndResumes } from "../hostile.fixture.ts";
import { telegramDeclaration } from "./declaration.ts";
import { telegramImporter } from "./importer.ts";

const ann = { from: "Ann Lee", from_id: "user11" };
const whole = {
  about: "Here is the data you requested. Remember: Telegram is ad free…",
  personal_information: { user_id: 77, first_name: "Nora", phone_number: "+353 1" },
  contacts: {
    about: "…",
    list: [
      {
        user_id: 11,
        first_name: "Ann",
        last_name: "Lee",
        phone_number: "+1 555",
        date: "2020-01-01T00:00:00",
        date_unixtime: "1577836800",
      },
      {
        first_name: "Bo",
        last_name: "",
        phone_number: "+1 556",
        date: "2020-01-02T00:00:00",
        date_unixtime: "1577923200",
      },
    ],
  },
  chats: {
    about: "…",
    list: [
      {
        name: "Ann Lee",
        type: "personal_chat",
        id: 11,
        messages: [
          {
            id: 1,
            type: "service",
            date: "2021-01-01T12:00:00",
            date_unixtime: "1609498800",
            actor: "Ann Lee",
            actor_id: "user11",
            action: "phone_call",
            text: "",
          },
          {
            id: 2,
            type: "message",
            date: "2021-01-01T12:00:05",
            date_unixtime: "1609498805",
            edited: "2021-01-01T12:01:00",
            edited_unixtime: "1609498860",
            ...ann,
            text: [
              "Look at ",
              { type: "text_link", text: "this", href: "https://a.example/" },
              { type: "bold", text: "!" },
            ],
            reactions: [{ type: "emoji", count: 2, emoji: "👍" }],
          },
          {
            id: 3,
            type: "message",
            date: "2021-01-01T12:02:00",
            date_unixtime: "1609498920",
            ...ann,
            photo: "chats/chat_01/photos/photo_1@01-01-2021.jpg",
            photo_file_size: 3,
            text: "",
            reply_to_message_id: 2,
          },
          {
            id: 4,
            type: "message",
            date_unixtime: "1609498930",
            ...ann,
            file: "(File not included. Change data exporting settings to download.)",
            media_type: "voice_message",
            mime_type: "audio/ogg",
            duration_seconds: 4,
            text: "",
          },
        ],
      },
      {
        name: "Walkers",
        type: "private_supergroup",
        id: 9001,
        messages: [
          {
            id: 2,
            type: "message",
            date_unixtime: "1609500000",
            from: null,
            from_id: "user12",
            text: "",
            poll: { question: "When?", answers: [{ text: "Now", voters: 3 }] },
          },
          { id: 3, type: "message", text: "no date" },
          {
            id: 4,
            type: "message",
            date_unixtime: "1609500100",
            ...ann,
            text: "Here",
            location_information: { latitude: 53.3, longitude: -6.2 },
            forwarded_from: "Bo",
          },
        ],
      },
    ],
  },
};
const json = (value: unknown): string => JSON.stringify(value, null, 1);
const entries = [
  memoryEntry("chats/chat_01/photos/photo_1@01-01-2021.jpg", "jpg"),
  memoryEntry("css/style.css", "body {}"),
  memoryEntry("result.json", json(whole)),
];

describe("Telegram", () => {
  it("has a valid declaration", () => {
    expect(() => parseDeclaration(telegramDeclaration)).not.toThrow();
  });

  it("P-05 imports messages, chats and contacts of a whole account", async () => {
    const events = await collect(telegramImporter, entries);
    const inAnn = { chat_id: "user11", chat_name: "Ann Lee" };
    const byAnn = { sender_id: "user11", sender_name: "Ann Lee" };
    expect(recordsOf(events, "messages").map(({ data }) => data)).toEqual([
      {
        id: "user11-1",
        ...inAnn,
        kind: "service",
        action: "phone_call",
        ...byAnn,
        text: "phone call",
        sent_at: "2021-01-01T11:00:00.000Z",
      },
      {
        id: "user11-2",
        ...inAnn,
        kind: "message",
        ...byAnn,
        text: "Look at this (https://a.example/)!",
        sent_at: "2021-01-01T11:00:05.000Z",
        edited_at: "2021-01-01T11:01:00.000Z",
        reactions: [{ emoji: "👍", count: 2 }],
      },
      {
        id: "user11-3",
        ...inAnn,
        kind: "message",
        ...byAnn,
        text: "",
        sent_at: "2021-01-01T11:02:00.000Z",
        reply_to_id: "user11-2",
        media: {
          kind: "photo",
          name: "photo_1@01-01-2021.jpg",
          size_bytes: 3,
          blob: { blob_id: "blob_3", mime_type: "image/jpeg", size_bytes: 3, sha256: "0".repeat(64) },
        },
      },
      {
        id: "user11-4",
        ...inAnn,
        kind: "message",
        ...byAnn,
        text: "",
        sent_at: "2021-01-01T11:02:10.000Z",
        media: { kind: "voice_message", mime_type: "audio/ogg", duration_seconds: 4 },
      },
      {
        id: "channel9001-2",
        chat_id: "channel9001",
        chat_name: "Walkers",
        kind: "message",
        sender_id: "user12",
        text: "When?\n- Now (3)",
        sent_at: "2021-01-01T11:20:00.000Z",
      },
      {
        id: "channel9001-4",
        chat_id: "channel9001",
        chat_name: "Walkers",
        kind: "message",
        ...byAnn,
        text: "Here",
        sent_at: "2021-01-01T11:21:40.000Z",
        forwarded_from: "Bo",
        place: { latitude: 53.3, longitude: -6.2 },
      },
    ]);
    expect(recordsOf(events, "chats").map(({ data }) => data)).toEqual([
      {
        id: "user11",
        name: "Ann Lee",
        kind: "personal_chat",
        message_count: 4,
        first_message_at: "2021-01-01T11:00:00.000Z",
        last_message_at: "2021-01-01T11:02:10.000Z",
      },
      {
        id: "channel9001",
        name: "Walkers",
        kind: "private_supergroup",
        message_count: 2,
        first_message_at: "2021-01-01T11:20:00.000Z",
        last_message_at: "2021-01-01T11:21:40.000Z",
      },
    ]);
    expect(recordsOf(events, "contacts").map(({ data }) => [data.name, data.phone])).toEqual([
      ["Ann Lee", "+1 555"],
      ["Bo", "+1 556"],
    ]);
    expect(events.filter(({ kind }) => kind === "error" || kind === "skip")).toMatchObject([
      { message: "it has no date" },
      { reason: "no message refers to it", entry: { path: "css/style.css" } },
    ]);
    expect((await telegramImporter.plan({ name: "x", entries }, {})).account).toEqual({
      key: "77",
      name: "Telegram (77)",
    });
  });

  it("asks for the time zone only if the export is old, and applies it to the times", async () => {
    const old = {
      name: "Ann",
      type: "personal_chat",
      id: 11,
      messages: [
        { id: 1, type: "message", date: "2019-07-01T12:00:00", edited: "1970-01-01T01:00:00", ...ann, text: "hi" },
      ],
    };
    const own = [memoryEntry("result.json", json(old))];
    const answers = { time_zone: "Europe/Dublin" };
    expect((await telegramImporter.plan({ name: "x", entries: own }, {})).questions!.map(({ id }) => id)).toEqual([
      "time_zone",
    ]);
    expect((await telegramImporter.plan({ name: "x", entries }, {})).questions).toEqual([]);
    const [message] = recordsOf(await collect(telegramImporter, own, { answers }), "messages");
    expect(message!.data).toMatchObject({ sent_at: "2019-07-01T11:00:00.000Z", chat_name: "Ann" });
    expect(message!.data).not.toHaveProperty("edited_at");
    expect(await collect(telegramImporter, own, { answers: { time_zone: "Nowhere" } })).toMatchObject([
      { kind: "error" },
      { kind: "checkpoint" },
    ]);
  });

  it("is recognised as JSON; the HTML variant gets advice", () => {
    expect(recognised(telegramImporter, "result.json", json(whole))?.score).toBe(95);
    expect(
      recognised(telegramImporter, "a/result.json", '{"name":"A","type":"personal_chat","id":1,"messages":['),
    ).toMatchObject({ group: "a" });
    expect(recognised(telegramImporter, "result.json", '{"results": []}')).toBeUndefined();
    expect(recognised(telegramImporter, "a/photos/photo_1.jpg", "x", ["a/result.json"])).toMatchObject({
      score: 85,
      group: "a",
    });
    const html = '<!DOCTYPE html><body><div class="page_wrap"><div class="page_header">';
    expect(recognised(telegramImporter, "messages.html", html)?.advice).toMatch(/JSON/);
  });

  it("P-05 produces the same records in every run, resumes from every checkpoint, and survives damaged files", async () => {
    await repeatsAndResumes(telegramImporter, entries);
    await hostileTogether(telegramImporter, entries);
  });

  it("X-13 resumes in the middle of a long chat", async () => {
    const messages = Array.from({ length: 2500 }, (_, id) => ({
      id,
      type: "message",
      date_unixtime: String(1609498800 + id),
      text: `m${id}`,
    }));
    const long = [memoryEntry("result.json", json({ name: "Long", type: "private_group", id: 5, messages }))];
    await repeatsAndResumes(telegramImporter, long);
    expect((await collect(telegramImporter, long)).filter(({ kind }) => kind === "checkpoint")).toHaveLength(3);
  });
});
