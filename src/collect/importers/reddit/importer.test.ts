// Reddit CSV files, modelled on those in test/samples/messengers.test.ts.
import { describe, expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostileTogether, repeatsAndResumes } from "../hostile.fixture.ts";
import { redditImporter } from "./importer.ts";

const POSTS = `id,permalink,date,ip,subreddit,gildings,title,url,body
abc,/r/hiking/comments/abc/up/,2023-06-15 14:30:00 UTC,10.0.0.1,hiking,0,Up,https://a.example/,"It is,
high"
,,not a time,,,,,,
`;
const entries = [
  memoryEntry(
    "comments.csv",
    `id,permalink,date,ip,subreddit,gildings,link,parent,body,media
c1,/r/hiking/comments/abc/up/c1/,2023-06-16 08:00:00 UTC,10.0.0.1,hiking,0,https://reddit.com/r/hiking/comments/abc/,t3_abc,Thanks,
`,
  ),
  memoryEntry(
    "messages.csv",
    `id,permalink,thread_id,date,ip,from,to,subject,body
m1,https://www.reddit.com/message/messages/m1,t1,2023-06-17 08:00:00 UTC,,bo,ann,Hello,Hi
`,
  ),
  memoryEntry("posts.csv", POSTS),
  memoryEntry("saved_posts.csv", "id,permalink\nxyz,/r/maps/comments/xyz/\n"),
  memoryEntry("statistics.csv", "statistic,value\naccount name,ann\n"),
];

describe("Reddit", () => {
  it("I-06 reads posts, comments, messages and saved items, without IP addresses", async () => {
    const events = await collect(redditImporter, entries);
    expect(recordsOf(events, "posts").map(({ data }) => data)).toEqual([
      {
        id: "comment-c1",
        kind: "comment",
        text: "Thanks",
        created_at: "2023-06-16T08:00:00.000Z",
        url: "https://www.reddit.com/r/hiking/comments/abc/up/c1/",
        reply_to_id: "t3_abc",
        subreddit: "hiking",
        link: "https://reddit.com/r/hiking/comments/abc/",
      },
      {
        id: "post-abc",
        kind: "post",
        text: "It is,\nhigh",
        created_at: "2023-06-15T14:30:00.000Z",
        url: "https://www.reddit.com/r/hiking/comments/abc/up/",
        title: "Up",
        subreddit: "hiking",
        link: "https://a.example/",
      },
    ]);
    expect(recordsOf(events, "messages").map(({ data }) => data)).toMatchObject([
      { conversation_name: "bo", direction: "received", sender_handle: "bo", subject: "Hello", text: "Hi" },
    ]);
    expect(recordsOf(events, "saved").map(({ data }) => data)).toEqual([
      { id: "post-xyz", kind: "post", url: "https://www.reddit.com/r/maps/comments/xyz/" },
    ]);
    expect(events.filter(({ kind }) => kind === "error")).toHaveLength(1);
    expect(JSON.stringify(recordsOf(events).map(({ data }) => data))).not.toContain("10.0.0.1");
    expect((await redditImporter.plan({ name: "x", entries }, {})).account).toEqual({ key: "ann", name: "u/ann" });
    expect(await refusals(redditImporter, entries)).toEqual([]);
  });

  it("I-04 produces the same records in every run, resumes from every checkpoint, and survives damaged files", async () => {
    await repeatsAndResumes(redditImporter, entries);
    await hostileTogether(redditImporter, entries);
  });

  it("is recognised by name and columns", () => {
    expect(recognised(redditImporter, "x/posts.csv", POSTS)?.score).toBe(93);
    expect(recognised(redditImporter, "posts.csv", "id,permalink,title\n")).toBeUndefined();
    expect(recognised(redditImporter, "saved_posts.csv", "id,permalink\n")?.score).toBe(93);
  });
});
