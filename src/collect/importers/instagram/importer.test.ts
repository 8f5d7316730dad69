// Instagram downloads, modelled on real ones. test/samples/messengers.test.ts reads samples from another project.
import { describe, expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostileTogether, repeatsAndResumes } from "../hostile.fixture.ts";
import { instagramImporter } from "./importer.ts";

const json = (value: unknown): string => JSON.stringify(value);
const follow = (value: string): object => ({
  title: "",
  media_list_data: [],
  string_list_data: [{ href: `https://www.instagram.com/${value}`, value, timestamp: 1600000000 }],
});
const post = (name: string, title: string): object => ({
  media: [{ uri: `media/posts/202001/${name}.jpg`, creation_timestamp: 1580000000, title }],
});
const entries = [
  memoryEntry("connections/followers_1.json", json([follow("bo")])),
  memoryEntry("connections/following.json", json({ relationships_following: [follow("cy")] })),
  memoryEntry("media/posts/202001/a.jpg", "jpg"),
  memoryEntry(
    "personal_information/personal_information.json",
    json({
      profile_user: [{ string_map_data: { Username: { value: "ann" }, Name: { value: "Ann Lee" } } }],
    }),
  ),
  memoryEntry(
    "your_instagram_activity/comments/post_comments_1.json",
    json([
      {
        media_list_data: [{ uri: "" }],
        string_map_data: { Comment: { value: "Wow" }, Time: { timestamp: 1590000000 } },
      },
    ]),
  ),
  memoryEntry(
    "your_instagram_activity/content/posts_1.json",
    json([post("a", "Schöner Tag"), { ig_igtv_media: [post("b", "Film")] }, { media: [] }]),
  ),
  memoryEntry(
    "your_instagram_activity/content/stories.json",
    json({
      ig_stories: [{ uri: "media/stories/202001/s.mp4", creation_timestamp: 1580000001, title: "" }],
    }),
  ),
  memoryEntry(
    "your_instagram_activity/messages/inbox/bo_1/message_1.json",
    json({
      participants: [{ name: "Bo" }, { name: "Ann Lee" }],
      messages: [{ sender_name: "Bo", timestamp_ms: 1600000000000, content: "Hi" }],
      title: "Bo",
      thread_path: "inbox/bo_1",
    }),
  ),
];

describe("Instagram", () => {
  it("I-06 reads posts, stories, comments, messages and followers", async () => {
    const events = await collect(instagramImporter, entries, { idKey: "A".repeat(43) });
    expect(recordsOf(events, "posts").map(({ data: { id, ...data } }) => data)).toMatchObject([
      { kind: "comment", text: "Wow", author_handle: "ann", created_at: "2020-05-20T18:40:00.000Z" },
      { kind: "post", text: "Schöner Tag", attachments: [{ name: "a.jpg", blob: { size_bytes: 3 } }] },
      { kind: "igtv", text: "Film", attachments: [{ name: "b.jpg" }] },
      { kind: "stories", created_at: "2020-01-26T00:53:21.000Z" },
    ]);
    expect(recordsOf(events, "people").map(({ data }) => [data.kind, data.handle])).toEqual([
      ["follower", "bo"],
      ["following", "cy"],
    ]);
    expect(recordsOf(events, "messages")[0]!.data).toMatchObject({ text: "Hi", direction: "received" });
    expect(events.filter(({ kind }) => kind === "error")).toMatchObject([{ message: "it has no media or no time" }]);
    expect((await instagramImporter.plan({ name: "x", entries }, {})).account).toEqual({ key: "ann", name: "@ann" });
    expect(await refusals(instagramImporter, entries)).toEqual([]);
  });

  it("I-04 produces the same records in every run, resumes from every checkpoint, and survives damaged files", async () => {
    await repeatsAndResumes(instagramImporter, entries);
    await hostileTogether(instagramImporter, entries.slice(4, 6));
  });

  it("is recognised by content", () => {
    expect(recognised(instagramImporter, "posts.json", json([post("a", "")]))?.score).toBe(93);
    expect(recognised(instagramImporter, "x.json", json({ ig_stories: [] }))?.score).toBe(93);
    expect(recognised(instagramImporter, "x.json", json([{ media: [{ url: "" }] }]))).toBeUndefined();
  });
});
