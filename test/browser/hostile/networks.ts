// Hostile exports of social networks, as CSV files or ActivityPub.
import { carOf } from "../../../src/collect/importers/bluesky/car.fixture.ts";
import { HOSTILE, hostile, hostileUrl, NAME } from "./corpus.ts";
import type { HostileExport } from "./exports.ts";

const SECONDS = 1_717_146_000;
const at = (index: number): string => new Date((SECONDS + index) * 1000).toISOString();
const cells = (...texts: string[]): string => `${texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(",")}\n`;
const profile = `https://www.linkedin.com/in/${NAME.replaceAll(/[ /]/g, "-")}`;

export const linkedin: HostileExport = {
  files: {
    "Connections.csv": `Notes:\n${NAME}\n\nFirst Name,Last Name,URL,Email Address,Company,Position,Connected On\n${cells(NAME, hostile(1), profile, NAME, hostile(2), hostile(3), "15 Jan 2024")}`,
    "Profile.csv": `First Name,Last Name,Maiden Name,Address\n${cells(NAME, "", "", "")}`,
    "Shares.csv": `Date,ShareLink,ShareCommentary,SharedUrl\n${cells("2024-01-02 03:04:05", hostileUrl(1), hostile(4), hostileUrl(2))}`,
    "messages.csv": `CONVERSATION ID,CONVERSATION TITLE,FROM,SENDER PROFILE URL,TO,RECIPIENT PROFILE URLS,DATE,SUBJECT,CONTENT,ATTACHMENTS\n${HOSTILE.map(
      (text, index) =>
        cells(
          NAME,
          hostile(1),
          hostile(index),
          profile,
          NAME,
          profile,
          "2024-01-02 03:04:05 UTC",
          text,
          hostile(index + 2),
          hostileUrl(index),
        ),
    ).join("")}`,
  },
  whole: ["messages", "subject"],
  accounts: [`LinkedIn (${NAME})`],
  // These fields are digests, and the type of a post.
  tame: ["connections.address", "connections.id", "messages.id", "posts.id", "posts.kind"],
};

export const reddit: HostileExport = {
  files: {
    "messages.csv": `id,permalink,thread_id,date,ip,from,to,subject,body\n${cells(NAME, NAME, NAME, "2024-01-02 03:04:05 UTC", "", NAME, NAME, hostile(1), hostile(2))}`,
    "posts.csv": `id,permalink,date,ip,subreddit,gildings,title,url,body,parent\n${HOSTILE.map((text, index) =>
      cells(
        `${index}${NAME}`,
        `/${NAME}`,
        "2024-01-02 03:04:05 UTC",
        "",
        hostile(1),
        "0",
        hostile(index + 2),
        hostileUrl(index),
        text,
        NAME,
      ),
    ).join("")}`,
    "saved_posts.csv": `id,permalink\n${cells(NAME, `/${NAME}`)}`,
    "statistics.csv": `statistic,value\n${cells("account name", NAME)}`,
  },
  whole: ["posts", "text"],
  accounts: [`u/${NAME}`],
  // The type is either post or comment.
  tame: ["posts.kind"],
};

/** Mastodon writes HTML, where the hostile text is escaped. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const CONTEXT = "https://www.w3.org/ns/activitystreams";
const actor = `https://foreign.example/users/${NAME.replaceAll(/[ /]/g, "-")}`;

export const mastodon: HostileExport = {
  files: {
    "actor.json": JSON.stringify({ "@context": CONTEXT, id: actor, type: "Person", preferredUsername: NAME }),
    "likes.json": JSON.stringify({ "@context": CONTEXT, type: "OrderedCollection", orderedItems: [hostileUrl(1)] }),
    "outbox.json": JSON.stringify({
      "@context": CONTEXT,
      type: "OrderedCollection",
      orderedItems: HOSTILE.map((text, index) => ({
        type: "Create",
        actor,
        to: [],
        object: {
          id: `${index}${NAME}`,
          summary: text,
          inReplyTo: NAME,
          published: at(index),
          url: hostileUrl(index),
          content: escaped(hostile(index + 1)),
          tag: [{ type: "Hashtag", name: hostile(index + 2) }],
          attachment: [{ url: `/media_attachments/files/${NAME}.html`, mediaType: NAME, name: hostile(index + 3) }],
        },
      })),
    }),
    [`media_attachments/files/${NAME}.html`]: HOSTILE.join("\n"),
  },
  whole: ["posts", "warning"],
  accounts: [`@${NAME}@foreign.example`],
  // The type is always post.
  tame: ["posts.kind", "saved.id"],
};

/** The account's id is part of every record's URL. */
const did = `did:plc:${NAME.replaceAll(/[ /]/g, "-")}`;

export const bluesky: HostileExport = {
  files: {
    "repo.car": carOf(did, {
      "app.bsky.feed.like/3a": { $type: "app.bsky.feed.like", subject: { uri: hostileUrl(1) }, createdAt: at(0) },
      ...Object.fromEntries(
        HOSTILE.map((text, index) => [
          `app.bsky.feed.post/${index}${NAME}`,
          {
            $type: "app.bsky.feed.post",
            text,
            createdAt: at(index),
            langs: [NAME],
            reply: { parent: { uri: hostile(index + 1) } },
            facets: [{ features: [{ tag: hostile(index + 2) }] }],
            embed: { images: [{ alt: hostile(index + 3), image: { mimeType: NAME } }] },
          },
        ]),
      ),
      "app.bsky.graph.follow/3d": { $type: "app.bsky.graph.follow", subject: NAME, createdAt: at(1) },
    }),
  },
  whole: ["posts", "text"],
  accounts: [`Bluesky (${did})`],
  // The type is post, reply or repost.
  tame: ["posts.kind"],
};
