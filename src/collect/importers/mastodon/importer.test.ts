// Mastodon archives, modelled on the one in test/samples/messengers.test.ts.
import { describe, expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostileTogether, repeatsAndResumes } from "../hostile.fixture.ts";
import { mastodonImporter } from "./importer.ts";

const context = "https://www.w3.org/ns/activitystreams";
const me = "https://example.social/users/ada";
const everybody = `${context}#Public`;
const list = (id: string, orderedItems: unknown[]): string =>
  JSON.stringify({ "@context": context, id, type: "OrderedCollection", orderedItems });
const OUTBOX = list("outbox.json", [
  {
    id: `${me}/statuses/1/activity`,
    type: "Create",
    actor: me,
    published: "2022-11-08T03:07:14Z",
    to: [everybody],
    cc: [`${me}/followers`],
    object: {
      id: `${me}/statuses/1`,
      type: "Note",
      summary: "Hills",
      inReplyTo: "https://other.example/1",
      published: "2022-11-08T03:07:14Z",
      url: "https://example.social/@ada/1",
      content:
        '<p>One &amp; two</p><p>three <a href="https://example.social/tags/x" class="mention hashtag" rel="tag">#<span>x</span></a></p>',
      tag: [
        { type: "Hashtag", name: "#hiking" },
        { type: "Mention", name: "@bo" },
      ],
      attachment: [
        { type: "Document", mediaType: "image/png", url: "/media_attachments/files/1/a.png", name: "A hill" },
      ],
    },
  },
  {
    id: `${me}/statuses/2/activity`,
    type: "Announce",
    actor: me,
    published: "2022-11-09T03:07:14Z",
    to: ["https://a.example/u"],
    object: "https://a.example/2",
  },
  { type: "Create" },
]);
const entries = [
  memoryEntry("actor.json", JSON.stringify({ "@context": context, id: me, type: "Person", preferredUsername: "ada" })),
  memoryEntry("likes.json", list("likes.json", ["https://a.example/9"])),
  memoryEntry("media_attachments/files/1/a.png", "png"),
  memoryEntry("outbox.json", OUTBOX),
];

describe("Mastodon", () => {
  it("I-06 reads posts with media, reposts and likes", async () => {
    const events = await collect(mastodonImporter, entries);
    const blob = { blob_id: "blob_3", mime_type: "image/png", size_bytes: 3, sha256: "0".repeat(64) };
    expect(recordsOf(events, "posts").map(({ data }) => data)).toEqual([
      {
        id: `${me}/statuses/1`,
        kind: "reply",
        text: expect.stringMatching(/^One & two\n+three #x$/),
        created_at: "2022-11-08T03:07:14.000Z",
        author_handle: "@ada@example.social",
        url: "https://example.social/@ada/1",
        reply_to_id: "https://other.example/1",
        tags: ["hiking"],
        attachments: [{ name: "A hill", mime_type: "image/png", blob }],
        warning: "Hills",
        visibility: "public",
      },
      {
        id: `${me}/statuses/2/activity`,
        kind: "repost",
        created_at: "2022-11-09T03:07:14.000Z",
        author_handle: "@ada@example.social",
        url: "https://a.example/2",
        visibility: "direct",
      },
    ]);
    expect(recordsOf(events, "saved").map(({ data }) => data)).toEqual([
      { id: "like-https://a.example/9", kind: "like", url: "https://a.example/9" },
    ]);
    expect(events.filter(({ kind }) => kind === "error" || kind === "skip")).toMatchObject([{ kind: "error" }]);
    expect((await mastodonImporter.plan({ name: "x", entries }, {})).account.key).toBe("@ada@example.social");
    expect(await refusals(mastodonImporter, entries)).toEqual([]);
  });

  it("I-04 produces the same records in every run, resumes from every checkpoint, and survives damaged files", async () => {
    await repeatsAndResumes(mastodonImporter, entries);
    await hostileTogether(mastodonImporter, entries.slice(3));
  });

  it("is recognised by content", () => {
    expect(recognised(mastodonImporter, "outbox.json", OUTBOX)?.score).toBe(94);
    expect(recognised(mastodonImporter, "outbox.json", '{"orderedItems": []}')).toBeUndefined();
    expect(recognised(mastodonImporter, "x/media_attachments/files/a.png", "png", ["x/outbox.json"])?.score).toBe(90);
  });
});
