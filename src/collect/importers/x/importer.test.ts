// An X archive, written by hand in the format of archives since 2020.
import { describe, expect, it } from "vitest";
import { parseDeclaration } from "../../../core/declaration-check.ts";
import { collect, memoryEntry, recognised, recordsOf } from "../../importer.fixture.ts";
import { hostileTogether, repeatsAndResumes } from "../hostile.fixture.ts";
import { xDeclaration } from "./declaration.ts";
import { xImporter } from "./importer.ts";

const ytd = (name: string, list: unknown[]): string => `window.YTD.${name}.part0 = ${JSON.stringify(list, null, 2)}`;

const tweets = [
  {
    tweet: {
      id: "100",
      id_str: "100",
      created_at: "Wed Oct 10 20:19:24 +0000 2018",
      full_text: "Owls &amp; cake https://t.co/a https://t.co/m",
      favorite_count: "3",
      retweet_count: "1",
      lang: "en",
      source: '<a href="https://x.com" rel="nofollow">Web App</a>',
      entities: {
        hashtags: [{ text: "owls" }],
        urls: [{ url: "https://t.co/a", expanded_url: "https://a.example/$&" }],
        user_mentions: [],
        media: [{ url: "https://t.co/m" }],
      },
    },
  },
  {
    tweet: {
      id_str: "101",
      created_at: "Thu Oct 11 08:00:00 +0000 2018",
      full_text: "@ann yes",
      in_reply_to_status_id_str: "99",
      in_reply_to_screen_name: "ann",
    },
  },
  { tweet: { id_str: "102", created_at: "some day", full_text: "lost" } },
];
const entries = [
  memoryEntry("Your archive.html", "<html>"),
  memoryEntry(
    "data/account.js",
    ytd("account", [
      {
        account: {
          accountId: "7",
          username: "nora",
          accountDisplayName: "Nora",
          email: "n@a.example",
          createdAt: "2010-05-01T00:00:00.000Z",
        },
      },
    ]),
  ),
  memoryEntry("data/ad-engagements.js", ytd("ad_engagements", [])),
  memoryEntry(
    "data/deleted-tweets.js",
    ytd("deleted_tweets", [
      { tweet: { id_str: "90", created_at: "Mon Jan 01 00:00:00 +0000 2018", full_text: "RT @bo: gone" } },
    ]),
  ),
  memoryEntry(
    "data/direct-messages.js",
    ytd("direct_messages", [
      {
        dmConversation: {
          conversationId: "7-8",
          messages: [
            {
              messageCreate: {
                id: "500",
                senderId: "8",
                recipientId: "7",
                text: "see https://t.co/b",
                createdAt: "2019-01-01T10:00:00.000Z",
                urls: [{ url: "https://t.co/b", expanded: "https://b.example" }],
                mediaUrls: [],
                reactions: [{ senderId: "7", reactionKey: "like" }],
              },
            },
            { participantsJoin: { userIds: ["9"], createdAt: "2019-01-01T10:00:00.000Z" } },
          ],
        },
      },
      {
        dmConversation: {
          conversationId: "group1",
          messages: [
            { messageCreate: { id: "501", senderId: "9", text: "hi", createdAt: "2019-01-02T10:00:00.000Z" } },
          ],
        },
      },
    ]),
  ),
  memoryEntry(
    "data/follower.js",
    ytd("follower", [{ follower: { accountId: "8", userLink: "https://twitter.com/intent/user?user_id=8" } }]),
  ),
  memoryEntry("data/following.js", ytd("following", [{ following: { accountId: "8" } }])),
  memoryEntry(
    "data/like.js",
    ytd("like", [
      { like: { tweetId: "100", fullText: "an own post with a picture" } },
      { like: { tweetId: "42", fullText: "a &lt; b", expandedUrl: "https://twitter.com/i/web/status/42" } },
      { like: {} },
    ]),
  ),
  memoryEntry(
    "data/note-tweet.js",
    ytd("note_tweet", [
      {
        noteTweet: {
          noteTweetId: "1",
          createdAt: "2023-03-01T00:00:00.000Z",
          core: { text: "long", urls: [], mentions: [], hashtags: [] },
        },
      },
    ]),
  ),
  memoryEntry(
    "data/profile.js",
    ytd("profile", [{ profile: { description: { bio: "Acoustics", website: "", location: "Dublin" } } }]),
  ),
  memoryEntry("data/tweets.js", ytd("tweets", tweets)),
  memoryEntry("data/tweets_media/100-abc.jpg", "jpg"),
  memoryEntry("data/tweets_media/102-of-a-lost-post.jpg", "jpg"),
  memoryEntry("data/tweets_media/999-of-no-post.mp4", "mp4"),
  memoryEntry("data/tweets_media/stray.jpg", "jpg"),
];

describe("X", () => {
  it("has a valid declaration", () => {
    expect(() => parseDeclaration(xDeclaration)).not.toThrow();
  });

  it("P-05 imports posts, likes, direct messages, follows and the account", async () => {
    const events = await collect(xImporter, entries);
    const of = (stream: string) => recordsOf(events, stream).map(({ data }) => data);
    expect(of("tweets")).toEqual([
      { id: "90", kind: "repost", text: "RT @bo: gone", created_at: "2018-01-01T00:00:00.000Z", is_deleted: true },
      { id: "note-1", kind: "long", text: "long", created_at: "2023-03-01T00:00:00.000Z", is_deleted: false },
      {
        id: "100",
        kind: "post",
        text: "Owls & cake https://a.example/$&",
        created_at: "2018-10-10T20:19:24.000Z",
        language: "en",
        like_count: 3,
        repost_count: 1,
        hashtags: ["owls"],
        urls: ["https://a.example/$&"],
        app: "Web App",
        is_deleted: false,
        media: [
          {
            name: "100-abc.jpg",
            blob: { blob_id: "blob_3", mime_type: "image/jpeg", size_bytes: 3, sha256: "0".repeat(64) },
          },
        ],
      },
      {
        id: "101",
        kind: "reply",
        text: "@ann yes",
        created_at: "2018-10-11T08:00:00.000Z",
        reply_to_id: "99",
        reply_to_user: "ann",
        is_deleted: false,
      },
    ]);
    expect(of("direct_messages")).toEqual([
      {
        id: "500",
        conversation_id: "7-8",
        sender_id: "8",
        recipient_id: "7",
        text: "see https://b.example",
        created_at: "2019-01-01T10:00:00.000Z",
        urls: ["https://b.example"],
        reactions: [{ emoji: "like", user_id: "7" }],
      },
      { id: "501", conversation_id: "group1", sender_id: "9", text: "hi", created_at: "2019-01-02T10:00:00.000Z" },
    ]);
    expect(of("likes")).toEqual([
      { id: "100", text: "an own post with a picture" },
      { id: "42", text: "a < b", url: "https://twitter.com/i/web/status/42" },
    ]);
    expect(of("follows").map(({ id }) => id)).toEqual(["follower-8", "following-8"]);
    expect(of("account")).toEqual([
      {
        id: "7",
        name: "Nora",
        username: "nora",
        email: "n@a.example",
        bio: "Acoustics",
        location: "Dublin",
        created_at: "2010-05-01T00:00:00.000Z",
      },
    ]);
    const skipped = events.flatMap((event) =>
      event.kind === "error" || event.kind === "skip" ? [`${event.kind} ${event.entry.path}`] : [],
    );
    expect(skipped).toEqual([
      "skip Your archive.html",
      "skip data/ad-engagements.js",
      "skip data/direct-messages.js",
      "error data/like.js",
      "error data/tweets.js",
      "skip data/tweets_media/102-of-a-lost-post.jpg",
      "skip data/tweets_media/999-of-no-post.mp4",
      "skip data/tweets_media/stray.jpg",
    ]);
    expect(events.findLast(({ kind }) => kind === "skip")).toMatchObject({ reason: "media without a post or message" });
  });

  it("uses the account's number as its account key", async () => {
    const plan = await xImporter.plan({ name: "twitter-2024", entries }, {});
    expect(plan.account).toEqual({ key: "7", name: "@nora" });
    expect(plan.warnings).toEqual([]);
  });

  it("is recognised by its prefix, and archives in the old format get advice", () => {
    expect(recognised(xImporter, "a/data/tweets.js", ytd("tweets", []))).toMatchObject({ score: 95, group: "a" });
    expect(recognised(xImporter, "data/tweets_media/1-a.jpg", "x", ["data/account.js"])?.score).toBe(90);
    expect(recognised(xImporter, "data/tweets_media/1-a.jpg", "x")).toBeUndefined();
    expect(recognised(xImporter, "app.js", "window.alert = 1")).toBeUndefined();
    expect(recognised(xImporter, "data/js/tweets/2013_01.js", "Grailbird.data.tweets_2013_01 = [")?.advice).toMatch(
      /again/,
    );
  });

  it("P-05 produces the same records in every run, resumes from every checkpoint, and survives damaged files", async () => {
    await repeatsAndResumes(xImporter, entries);
    await hostileTogether(xImporter, entries);
  });
});
