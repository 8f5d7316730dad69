// Discord's data package and DiscordChatExporter's JSON. test/samples/messengers.test.ts reads samples from other
// projects.
import { describe, expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostileTogether, repeatsAndResumes } from "../hostile.fixture.ts";
import { discordImporter } from "./importer.ts";

const json = (value: unknown): string => JSON.stringify(value, null, 1);
const owned = [
  {
    ID: 1001,
    Timestamp: "2024-01-15 14:30:00",
    Contents: "Hey",
    Attachments: "https://cdn.example/a.jpg?x=1 https://cdn.example/b.png",
  },
];
const pack = [
  memoryEntry("Account/user.json", json({ id: "7", username: "ann", global_name: "Ann" })),
  memoryEntry("Messages/c10/channel.json", json({ id: "10", type: "DM", recipients: ["7", "8"] })),
  memoryEntry("Messages/c10/messages.json", json([...owned, { ID: 1002 }])),
  memoryEntry(
    "Messages/c11/channel.json",
    json({ id: "11", type: "GUILD_TEXT", name: "general", guild: { id: "9", name: "Walkers" } }),
  ),
  memoryEntry(
    "Messages/c11/messages.csv",
    'ID,Timestamp,Contents,Attachments\r\n1003,2020-01-01 10:00:00.123000+00:00,"a\nb",\r\n',
  ),
  memoryEntry("Messages/index.json", json({ 10: "Direct Message with bo#1234", 11: "general in Walkers" })),
];
const channel = {
  guild: { id: "9", name: "Walkers" },
  channel: { id: "11", type: "GuildTextChat", name: "general" },
  messages: [
    {
      id: "2001",
      type: "Reply",
      timestamp: "2019-01-04T17:52:39.762+00:00",
      timestampEdited: "2019-01-04T17:53:00+00:00",
      content: "blah",
      author: { id: "8", name: "bo", nickname: "Bo" },
      attachments: [
        { url: "c.json_Files/a.jpg", fileName: "a.jpg", fileSizeBytes: 3 },
        { url: "https://cdn.example/b.png", fileName: "b.png" },
      ],
      reactions: [{ emoji: { name: "👆" }, count: 42 }],
      reference: { messageId: "2000" },
    },
    { id: "2002", type: "Call", timestamp: "2020-07-17T17:03:14.366+00:00", author: { name: "bo" } },
    {
      id: "2003",
      type: "ChannelNameChange",
      timestamp: "2020-07-17T17:03:15+00:00",
      author: { name: "bo" },
      content: "Changed.",
    },
    { id: "2004" },
  ],
};
const exported = [memoryEntry("c.json", json(channel)), memoryEntry("c.json_Files/a.jpg", "jpg")];

describe("Discord", () => {
  it("I-06 reads the owner's messages from a package, as JSON or CSV", async () => {
    const events = await collect(discordImporter, pack);
    expect(recordsOf(events, "messages").map(({ data }) => data)).toMatchObject([
      {
        id: "10-1001",
        conversation_name: "bo",
        direction: "sent",
        sender_name: "Ann",
        sender_handle: "ann",
        text: "Hey",
        sent_at: "2024-01-15T14:30:00.000Z",
        attachments: [{ name: "a.jpg" }, { name: "b.png" }],
      },
      {
        id: "11-1003",
        conversation_name: "general",
        server: "Walkers",
        text: "a\nb",
        sent_at: "2020-01-01T10:00:00.123Z",
      },
    ]);
    expect(recordsOf(events, "conversations").map(({ data }) => [data.id, data.kind])).toEqual([
      ["10", "direct"],
      ["11", "channel"],
    ]);
    expect(events.filter(({ kind }) => kind === "error")).toHaveLength(1);
    expect((await discordImporter.plan({ name: "x", entries: pack }, {})).account).toEqual({
      key: "user-7",
      name: "Discord (Ann)",
    });
    expect(await refusals(discordImporter, pack)).toEqual([]);
  });

  it("I-06 reads a channel of DiscordChatExporter with its media", async () => {
    const events = await collect(discordImporter, exported);
    expect(recordsOf(events, "messages").map(({ data }) => data)).toMatchObject([
      {
        kind: "message",
        sender_name: "Bo",
        sender_handle: "bo",
        edited_at: "2019-01-04T17:53:00.000Z",
        reply_to_id: "11-2000",
        attachments: [{ name: "a.jpg", blob: { size_bytes: 3 } }, { url: "https://cdn.example/b.png" }],
        reactions: [{ emoji: "👆", count: 42 }],
        server: "Walkers",
      },
      { kind: "call" },
      { kind: "event", text: "Changed." },
    ]);
    expect(events.filter(({ kind }) => kind === "error")).toHaveLength(1);
    expect(await refusals(discordImporter, exported)).toEqual([]);
  });

  it("I-04 produces the same records in every run, resumes from every checkpoint, and survives damaged files", async () => {
    await repeatsAndResumes(discordImporter, pack);
    await repeatsAndResumes(discordImporter, exported);
    await hostileTogether(discordImporter, [pack[2]!, pack[4]!]);
    await hostileTogether(discordImporter, exported.slice(0, 1));
  });

  it("is recognised by content", () => {
    expect(recognised(discordImporter, "any.json", json(channel))?.score).toBe(95);
    expect(recognised(discordImporter, "package/Messages/c10/messages.json", json(owned))?.score).toBe(95);
    expect(recognised(discordImporter, "messages/10/messages.json", '{"messages": []}')).toBeUndefined();
    expect(recognised(discordImporter, "c.json_Files/a.jpg", "jpg", ["c.json"])?.score).toBe(90);
  });
});
