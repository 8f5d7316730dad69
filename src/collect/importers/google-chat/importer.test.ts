// Google Chat and Hangouts, modelled on real Takeouts. test/samples/messengers.test.ts reads samples from other
// projects.
import { describe, expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostileTogether, repeatsAndResumes } from "../hostile.fixture.ts";
import { googleChatImporter } from "./importer.ts";

const json = (value: unknown): string => JSON.stringify(value, null, 1);
const ann = { name: "Ann", email: "Ann@example.com", user_type: "Human" };
const bo = { name: "Bo", email: "bo@example.com", user_type: "Human" };
const FOLDER = "Takeout/Google Chat/Groups/DM abc";
const messages = [
  {
    creator: ann,
    created_date: "Tuesday, January 30, 2024 at 12:27:33\u202fAM UTC",
    text: "Hi",
    topic_id: "t",
    message_id: "abc/t/t",
  },
  {
    creator: bo,
    created_date: "Tuesday, January 30, 2024 at 1:29:10 PM UTC",
    topic_id: "t",
    message_id: "abc/t/u",
    attached_files: [{ original_name: "a b.jpg", export_name: "File-a b.jpg" }],
    reactions: [{ emoji: { unicode: "👍" }, reactor_emails: ["ann@example.com"] }],
  },
  { creator: bo, created_date: "Tuesday, January 30, 2024 at 1:29:11 PM UTC", text: "same id", message_id: "abc/t/u" },
  { creator: bo, created_date: "gestern", text: "?", message_id: "abc/v/v" },
];
const chat = [
  memoryEntry(`${FOLDER}/File-a b.jpg`, "jpg"),
  memoryEntry(`${FOLDER}/group_info.json`, json({ members: [ann, bo] })),
  memoryEntry(`${FOLDER}/messages.json`, json({ messages })),
  memoryEntry("Takeout/Google Chat/Users/User 1/user_info.json", json({ user: ann, membership_info: [] })),
];
const id = (number: string): object => ({ gaia_id: number, chat_id: number });
const hangouts = {
  conversations: [
    {
      conversation: {
        conversation_id: { id: "Ugw" },
        conversation: {
          id: { id: "Ugw" },
          type: "STICKY_ONE_TO_ONE",
          self_conversation_state: { self_read_state: { participant_id: id("1") } },
          participant_data: [
            { id: id("1"), fallback_name: "Ann" },
            { id: id("2"), fallback_name: "Bo" },
          ],
        },
      },
      events: [
        {
          sender_id: id("2"),
          timestamp: "1569073414201730",
          event_id: "e1",
          event_type: "REGULAR_CHAT_MESSAGE",
          chat_message: {
            message_content: {
              segment: [
                { type: "TEXT", text: "One" },
                { type: "LINE_BREAK" },
                { type: "LINK", text: "https://a.example/" },
              ],
              attachment: [{ embed_item: { plus_photo: { url: "https://p.example/1" } } }],
            },
          },
        },
        {
          sender_id: id("1"),
          timestamp: "1569073414201731",
          event_id: "e2",
          event_type: "HANGOUT_EVENT",
          hangout_event: { event_type: "START_HANGOUT" },
        },
        { sender_id: id("1"), event_id: "e3", event_type: "REGULAR_CHAT_MESSAGE" },
      ],
    },
  ],
};
const old = [memoryEntry("Takeout/Hangouts/Hangouts.json", json(hangouts))];

describe("Google Chat", () => {
  it("I-06 reads conversations with files, replies and reactions", async () => {
    const events = await collect(googleChatImporter, chat);
    expect(recordsOf(events, "messages").map(({ data }) => data)).toMatchObject([
      {
        id: "abc/t/t",
        conversation_id: "abc",
        conversation_name: "Bo",
        direction: "sent",
        sender_name: "Ann",
        sender_address: "ann@example.com",
        text: "Hi",
        sent_at: "2024-01-30T00:27:33.000Z",
      },
      {
        id: "abc/t/u",
        direction: "received",
        sent_at: "2024-01-30T13:29:10.000Z",
        reply_to_id: "abc/t/t",
        attachments: [{ name: "a b.jpg", blob: { size_bytes: 3 } }],
        reactions: [{ emoji: "👍", count: 1, by: ["ann@example.com"] }],
      },
      { id: "abc/t/u#1", text: "same id" },
    ]);
    expect(recordsOf(events, "conversations")[0]!.data).toMatchObject({
      id: "abc",
      participants: [{}, { address: "bo@example.com" }],
    });
    expect(events.filter(({ kind }) => kind === "error" || kind === "skip")).toMatchObject([{ kind: "error" }]);
    expect((await googleChatImporter.plan({ name: "x", entries: chat }, {})).account.key).toBe("ann@example.com");
    expect(await refusals(googleChatImporter, chat)).toEqual([]);
  });

  it("I-06 reads Hangouts.json", async () => {
    const events = await collect(googleChatImporter, old);
    expect(recordsOf(events, "messages").map(({ data }) => data)).toMatchObject([
      {
        id: "Ugw/e1",
        conversation_name: "Bo",
        kind: "message",
        direction: "received",
        sender_name: "Bo",
        text: "One\nhttps://a.example/",
        sent_at: "2019-09-21T13:43:34.201Z",
        attachments: [{ url: "https://p.example/1" }],
      },
      { kind: "call", direction: "sent", sender_name: "Ann", text: "start hangout" },
    ]);
    expect(events.filter(({ kind }) => kind === "error")).toHaveLength(1);
    expect((await googleChatImporter.plan({ name: "x", entries: old }, {})).account).toEqual({
      key: "user-1",
      name: "Google Chat (Ann)",
    });
    expect(await refusals(googleChatImporter, old)).toEqual([]);
  });

  it("I-04 produces the same records in every run, resumes from every checkpoint, and survives damaged files", async () => {
    for (const entries of [chat, old]) {
      await repeatsAndResumes(googleChatImporter, entries);
      await hostileTogether(googleChatImporter, entries.slice(-2));
    }
  });

  it("is recognised by content", () => {
    expect(recognised(googleChatImporter, `${FOLDER}/messages.json`, json({ messages }))?.score).toBe(95);
    expect(recognised(googleChatImporter, "Hangouts.json", json(hangouts))?.score).toBe(95);
    expect(recognised(googleChatImporter, "messages.json", '{"messages": [{"role": "user"}]}')).toBeUndefined();
    expect(recognised(googleChatImporter, `${FOLDER}/x.jpg`, "jpg", [`${FOLDER}/messages.json`])?.score).toBe(86);
  });
});
