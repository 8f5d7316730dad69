// Facebook downloads, modelled on real ones. test/samples/messengers.test.ts reads samples from other projects.
import { describe, expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { idMaker } from "../../record-ids.ts";
import { hostileTogether, repeatsAndResumes } from "../hostile.fixture.ts";
import { mendedText } from "../meta-text.ts";
import { facebookImporter } from "./importer.ts";

/** Garbles text as Facebook does, writing each UTF-8 byte as a character. */
const broken = (text: string): string => Buffer.from(text).toString("latin1");
const json = (value: unknown): string => JSON.stringify(value, null, 1);
const ROOT = "your_facebook_activity";
const thread = {
  participants: [{ name: broken("José") }, { name: "Ann Lee" }],
  messages: [
    {
      sender_name: "Ann Lee",
      timestamp_ms: 1672617660000,
      content: broken("Schöne Grüße 👋"),
      photos: [{ uri: `${ROOT}/messages/inbox/jose_1/photos/a.jpg`, creation_timestamp: 1672617660 }],
      reactions: [
        { reaction: broken("❤"), actor: broken("José") },
        { reaction: broken("❤"), actor: "Ann Lee" },
      ],
    },
    { sender_name: broken("José"), timestamp_ms: 1672617600000, call_duration: 12, type: "Call" },
    {
      sender_name: broken("José"),
      timestamp_ms: 1672617500000,
      share: { link: "https://a.example/", share_text: "A" },
    },
    { sender_name: "Ann Lee", content: "no time" },
  ],
  title: broken("José"),
  thread_path: "inbox/jose_1",
};
const entries = [
  memoryEntry(
    "connections/friends/your_friends.json",
    json({ friends_v2: [{ name: broken("Zoë"), timestamp: 1500000000 }] }),
  ),
  memoryEntry(
    "personal_information/profile_information/profile_information.json",
    json({ profile_v2: { name: { full_name: "Ann Lee" }, emails: { emails: ["Ann@example.com"] } } }),
  ),
  memoryEntry(
    `${ROOT}/comments_and_reactions/comments.json`,
    json({
      comments_v2: [
        { timestamp: 1600000000, data: [{ comment: { comment: "Nice", author: "Ann Lee" } }], title: "Ann commented." },
      ],
    }),
  ),
  memoryEntry(`${ROOT}/messages/inbox/jose_1/message_1.json`, json(thread)),
  memoryEntry(`${ROOT}/messages/inbox/jose_1/photos/a.jpg`, "jpg"),
  memoryEntry(`${ROOT}/messages/inbox/jose_1/photos/unused.jpg`, "no"),
  memoryEntry(
    `${ROOT}/posts/album/0.json`,
    json({
      name: broken("Família"),
      photos: [{ uri: `${ROOT}/posts/media/b.jpg`, creation_timestamp: 1659000000, description: broken("Avó") }],
    }),
  ),
  memoryEntry(`${ROOT}/posts/media/b.jpg`, "pic"),
  memoryEntry(
    `${ROOT}/posts/your_posts_1.json`,
    json([
      {
        timestamp: 1672531200,
        data: [{ post: broken("Año nuevo") }],
        attachments: [
          { data: [{ media: { uri: `${ROOT}/posts/media/b.jpg`, description: "Sea" } }] },
          { data: [{ external_context: { url: "https://b.example/" } }] },
        ],
        title: "Ann updated her status.",
      },
      42,
    ]),
  ),
];

describe("Facebook", () => {
  it("I-06 reads messages, posts, comments, friends and albums, with repaired texts and media", async () => {
    const idKey = "A".repeat(43);
    const events = await collect(facebookImporter, entries, { idKey });
    const plain = (stream: string) => recordsOf(events, stream).map(({ data: { id, ...data } }) => data);
    const blob = { blob_id: "blob_3", mime_type: "image/jpeg", size_bytes: 3, sha256: "0".repeat(64) };
    const jose = { conversation_id: idMaker(idKey)("inbox/jose_1"), conversation_name: "José" };
    expect(plain("messages")).toEqual([
      {
        ...jose,
        kind: "message",
        direction: "sent",
        sender_name: "Ann Lee",
        text: "Schöne Grüße 👋",
        sent_at: "2023-01-02T00:01:00.000Z",
        attachments: [{ name: "a.jpg", blob }],
        reactions: [{ emoji: "❤", count: 2, by: ["José", "Ann Lee"] }],
      },
      {
        ...jose,
        kind: "call",
        direction: "received",
        sender_name: "José",
        text: "Call",
        sent_at: "2023-01-02T00:00:00.000Z",
        duration_seconds: 12,
      },
      {
        ...jose,
        kind: "message",
        direction: "received",
        sender_name: "José",
        text: "A\nhttps://a.example/",
        sent_at: "2023-01-01T23:58:20.000Z",
      },
    ]);
    expect(plain("conversations")).toEqual([
      { name: "José", kind: "direct", participants: [{ name: "José" }, { name: "Ann Lee" }] },
    ]);
    expect(plain("posts")).toMatchObject([
      { kind: "comment", text: "Nice", author_name: "Ann Lee", title: "Ann commented." },
      {
        kind: "post",
        text: "Año nuevo\nSea",
        created_at: "2023-01-01T00:00:00.000Z",
        url: "https://b.example/",
        attachments: [{ name: "b.jpg", blob }],
      },
    ]);
    expect(plain("friends")).toEqual([{ name: "Zoë", added_at: "2017-07-14T02:40:00.000Z" }]);
    expect(plain("photos")).toEqual([
      { name: "b.jpg", text: "Avó", album: "Família", created_at: "2022-07-28T09:20:00.000Z", picture: blob },
    ]);
    expect(events.filter(({ kind }) => kind === "error" || kind === "skip")).toMatchObject([
      { reason: "the profile only identifies the account" },
      { message: "it has no time" },
      { message: "it is not an object" },
      { reason: "no message, post or album refers to it", entry: { path: expect.stringContaining("unused") } },
    ]);
    expect((await facebookImporter.plan({ name: "x", entries }, {})).account).toEqual({
      key: "ann@example.com",
      name: "Facebook (Ann Lee)",
    });
    expect(await refusals(facebookImporter, entries)).toEqual([]);
  });

  it("reads encrypted Messenger threads", async () => {
    const secure = {
      participants: ["Ann Lee", "Bo"],
      threadName: "Bo",
      messages: [{ senderName: "Bo", text: "Hi", timestamp: 1600000000000, media: [], reactions: [] }],
    };
    const [message] = recordsOf(
      await collect(facebookImporter, [memoryEntry("messages/Bo_1.json", json(secure))]),
      "messages",
    );
    expect(message!.data).toMatchObject({
      text: "Hi",
      sender_name: "Bo",
      direction: "received",
      conversation_name: "Bo",
    });
  });

  it("I-04 produces the same records in every run, resumes from every checkpoint, and survives damaged files", async () => {
    await repeatsAndResumes(
      facebookImporter,
      entries.filter(({ path }) => !path.includes("unused")),
    );
    await hostileTogether(facebookImporter, entries.slice(2, 5));
  });

  it("repairs only texts that were garbled in this way", () => {
    for (const text of ["plain", "Grüße", "é", "Ã", "日本", broken("Grüße 👋")])
      expect(mendedText(text)).toBe(text === broken("Grüße 👋") ? "Grüße 👋" : text);
  });

  it("is recognised by content, and asks for JSON instead of HTML", () => {
    expect(recognised(facebookImporter, "any.json", json(thread))?.score).toBe(93);
    expect(recognised(facebookImporter, "x/your_posts_1.json", json([{ timestamp: 1 }]))?.score).toBe(93);
    expect(recognised(facebookImporter, "instagram-x/messages/inbox/a/message_1.json", json(thread))).toBeUndefined();
    expect(recognised(facebookImporter, "a.json", '{"participants": [1]}')).toBeUndefined();
    expect(recognised(facebookImporter, "m.html", '<section class="_a6-g"><h2>')?.advice).toContain("JSON");
    expect(recognised(facebookImporter, "messages/inbox/a_1/photos/1.jpg", "jpg")?.score).toBe(85);
  });
});
