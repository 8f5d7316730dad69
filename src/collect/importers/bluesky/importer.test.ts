// Bluesky repositories, written by car.fixture.ts; test/samples/messengers.test.ts reads real ones.
import { describe, expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { carOf } from "./car.fixture.ts";
import { blueskyImporter } from "./importer.ts";

const did = "did:plc:ada";
const createdAt = "2024-02-22T19:58:13.903293+00:00";
const other = "at://did:plc:bo/app.bsky.feed.post/3x";
const CAR = carOf(did, {
  "app.bsky.feed.like/3a": {
    $type: "app.bsky.feed.like",
    subject: { uri: other, cid: "x" },
    createdAt: "2023-08-26T12:56:31.044240",
  },
  "app.bsky.feed.post/3b": {
    $type: "app.bsky.feed.post",
    text: "Up the hill ⛰️",
    createdAt,
    langs: ["en"],
    reply: { parent: { uri: other } },
    facets: [{ features: [{ $type: "app.bsky.richtext.facet#tag", tag: "hiking" }] }],
    embed: { images: [{ alt: "A hill", image: { mimeType: "image/jpeg", size: 300_000 } }] },
  },
  "app.bsky.feed.repost/3c": { $type: "app.bsky.feed.repost", subject: { uri: other }, createdAt },
  "app.bsky.graph.follow/3d": { $type: "app.bsky.graph.follow", subject: "did:plc:bo", createdAt },
  "app.bsky.graph.follow/3e": { $type: "app.bsky.graph.follow", subject: "did:plc:cy" },
  "app.bsky.actor.profile/self": { $type: "app.bsky.actor.profile", displayName: "Ada" },
});
const entries = [memoryEntry("repo.car", CAR)];

describe("Bluesky", () => {
  it("I-06 reads the posts, reposts, likes and follows of a repository", async () => {
    const events = await collect(blueskyImporter, entries);
    const url = "https://bsky.app/profile/did:plc:bo/post/3x";
    expect(recordsOf(events).map(({ stream, data }) => [stream, data])).toEqual([
      ["likes", { id: `at://${did}/app.bsky.feed.like/3a`, url, created_at: "2023-08-26T12:56:31.044Z" }],
      [
        "posts",
        {
          id: `at://${did}/app.bsky.feed.post/3b`,
          kind: "reply",
          text: "Up the hill ⛰️",
          created_at: "2024-02-22T19:58:13.903Z",
          author_handle: did,
          url: `https://bsky.app/profile/${did}/post/3b`,
          reply_to_id: other,
          tags: ["hiking"],
          attachments: [{ name: "A hill", mime_type: "image/jpeg" }],
          languages: ["en"],
        },
      ],
      [
        "posts",
        {
          id: `at://${did}/app.bsky.feed.repost/3c`,
          kind: "repost",
          created_at: "2024-02-22T19:58:13.903Z",
          author_handle: did,
          url,
        },
      ],
      [
        "follows",
        {
          id: `at://${did}/app.bsky.graph.follow/3d`,
          name: "did:plc:bo",
          handle: "did:plc:bo",
          created_at: "2024-02-22T19:58:13.903Z",
        },
      ],
    ]);
    expect(events.filter(({ kind }) => kind === "error" || kind === "skip")).toMatchObject([
      { message: "the record has no time" },
      { reason: "other records: app.bsky.actor.profile" },
    ]);
    expect((await blueskyImporter.plan({ name: "x", entries }, {})).account.key).toBe(did);
    expect(await refusals(blueskyImporter, entries)).toEqual([]);
  });

  it("I-04 produces the same records in every run, resumes from every checkpoint, and survives damaged files", async () => {
    await repeatsAndResumes(blueskyImporter, entries);
    await hostile(blueskyImporter, "repo.car", CAR);
  });

  it("is recognised by its header", () => {
    expect(recognised(blueskyImporter, "repo.car", CAR)).toMatchObject({ score: 95, group: "repo.car" });
    expect(recognised(blueskyImporter, "my.car", "a car")).toBeUndefined();
    expect(recognised(blueskyImporter, "post.json", '{"uri": "at://did:plc:x/y/z", "value": {}}')?.score).toBe(93);
  });
});
