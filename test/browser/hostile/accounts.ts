// Hostile exports from accounts: chats, AI agents, browser histories, and archives of online services.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { HOSTILE, hostile, hostileUrl, NAME } from "./corpus.ts";
import type { HostileExport } from "./exports.ts";

const json = (value: unknown): string => JSON.stringify(value);
const lines = (values: readonly unknown[]): string => values.map((value) => `${json(value)}\n`).join("");
const SECONDS = 1_717_146_000;
const at = (index: number): string => new Date((SECONDS + index) * 1000).toISOString();

/** Properties that Claude Code writes on every line. */
const logged = (index: number, line: object): object => ({
  sessionId: NAME,
  isSidechain: false,
  parentUuid: `${index}${NAME}`,
  uuid: `${index + 1}${NAME}`,
  timestamp: at(index),
  cwd: NAME,
  gitBranch: NAME,
  version: NAME,
  ...line,
});

export const agents: HostileExport = {
  files: {
    [`${NAME}.jsonl`]: lines([
      ...HOSTILE.map((text, index) =>
        logged(index, {
          type: index % 2 === 0 ? "user" : "assistant",
          message: {
            model: hostile(index + 1),
            content: [
              { type: "text", text },
              { type: "thinking", thinking: hostile(index + 2) },
            ],
          },
        }),
      ),
      logged(30, {
        type: "assistant",
        message: { content: [{ type: "tool_use", id: NAME, name: hostile(1), input: { [NAME]: hostile(2) } }] },
      }),
      logged(31, {
        type: "user",
        message: { content: [{ type: "tool_result", tool_use_id: NAME, content: hostile(3) }] },
      }),
      { type: "custom-title", sessionId: NAME, customTitle: hostile(4) },
    ]),
  },
  whole: ["messages", "text"],
  tame: [],
};

/** Each message replies to the previous one. */
const chatgpt = {
  conversation_id: NAME,
  title: hostile(1),
  create_time: SECONDS,
  default_model_slug: NAME,
  gizmo_id: NAME,
  mapping: Object.fromEntries(
    HOSTILE.map((text, index) => [
      `${index}${NAME}`,
      {
        parent: index === 0 ? null : `${index - 1}${NAME}`,
        children: index === HOSTILE.length - 1 ? [] : [`${index + 1}${NAME}`],
        message: {
          id: `${index}${NAME}`,
          author: { role: index === 3 ? "tool" : "user", name: NAME },
          create_time: SECONDS + index,
          content: { content_type: "text", parts: [text] },
          metadata: { model_slug: hostile(index + 1), attachments: [{ name: hostile(index + 2) }] },
        },
      },
    ]),
  ),
};
const claude = {
  uuid: NAME,
  name: hostile(2),
  summary: hostile(3),
  model: NAME,
  project: { name: hostile(4) },
  account: { uuid: NAME },
  created_at: at(0),
  chat_messages: [
    {
      uuid: NAME,
      sender: "human",
      created_at: at(1),
      content: [
        { type: "text", text: hostile(5) },
        { type: "thinking", thinking: hostile(6) },
      ],
      attachments: [{ file_name: hostile(7), extracted_content: hostile(8) }],
    },
  ],
};

export const aiChats: HostileExport = {
  files: {
    [`${NAME}/conversations.json`]: json([chatgpt]),
    [`${NAME}/user.json`]: json({ id: NAME, email: NAME }),
    "claude/conversations.json": json([claude]),
    "claude/users.json": json([{ uuid: NAME, email_address: NAME }]),
  },
  whole: ["messages", "text"],
  accounts: [`ChatGPT (${NAME})`, `Claude (${NAME})`],
  tame: [],
};

/** A history database in Chrome's format. */
function chromeHistory(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "pdpp-test-"));
  try {
    const database = new DatabaseSync(join(folder, "db"));
    database.exec(`CREATE TABLE urls(id INTEGER PRIMARY KEY, url TEXT, title TEXT);
      CREATE TABLE visits(id INTEGER PRIMARY KEY, url INTEGER NOT NULL, visit_time INTEGER NOT NULL, from_visit INTEGER,
        transition INTEGER NOT NULL, visit_duration INTEGER DEFAULT 0 NOT NULL)`);
    const [url, visit] = [
      database.prepare("INSERT INTO urls VALUES (?, ?, ?)"),
      database.prepare("INSERT INTO visits VALUES (?, ?, ?, ?, 1, 0)"),
    ];
    for (const [index, text] of HOSTILE.entries()) {
      url.run(index + 1, index % 2 === 0 ? hostileUrl(index) : text, text);
      visit.run(index + 1, index + 1, 13_344_473_600_000_000n + BigInt(index), index);
    }
    database.close();
    return readFileSync(join(folder, "db"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const browserHistory: HostileExport = {
  files: { [`${NAME}/History`]: chromeHistory() },
  answers: { profile: NAME },
  whole: ["visits", "title"],
  accounts: [`Chrome (${NAME})`],
  // These fields are a digest, a parsable host and a known browser.
  tame: ["visits.id", "visits.host", "visits.browser"],
};

const person = `https://github.com/${encodeURIComponent(NAME)}`;
const repository = `${person}/${encodeURIComponent(NAME)}`;
const labels = [`${repository}/labels/${encodeURIComponent(NAME)}`];
/** Properties common to issues and pull requests. */
const conversation = (text: string, index: number): object => ({
  repository,
  user: person,
  title: text,
  body: hostile(index + 1),
  assignees: [person],
  labels,
  milestone: hostile(index + 2),
  reactions: [{ content: hostile(index + 3) }],
  created_at: at(index),
});
const remark = (kind: string, more: object): object => ({
  type: kind,
  url: `${repository}/issues/1#${kind}-"><img src=x onerror=window.__hit=1>`,
  issue: `${repository}/issues/1#${NAME}`,
  user: person,
  body: hostile(1),
  reactions: [{ content: NAME }],
  created_at: at(1),
  ...more,
});

export const github: HostileExport = {
  files: {
    "repositories_000001.json": json([
      {
        type: "repository",
        url: repository,
        owner: person,
        description: hostile(1),
        website: hostile(2),
        default_branch: hostile(3),
        labels: [{ name: hostile(4) }],
        created_at: at(0),
      },
    ]),
    "issues_000001.json": json(
      HOSTILE.map((text, index) => ({
        type: "issue",
        url: `${repository}/issues/${index}#${NAME}`,
        ...conversation(text, index),
      })),
    ),
    "pull_requests_000001.json": json([
      {
        type: "pull_request",
        url: `${repository}/pull/90#${NAME}`,
        ...conversation(hostile(1), 1),
        base: { ref: hostile(2) },
        head: { ref: hostile(3) },
        merge_commit_sha: NAME,
      },
    ]),
    "pull_request_reviews_000001.json": json([remark("pull_request_review", { state: NAME, head_sha: NAME })]),
    "pull_request_review_comments_000001.json": json([
      remark("pull_request_review_comment", { path: hostile(5), position: 1, in_reply_to: hostile(6) }),
    ]),
    "releases_000001.json": json([
      {
        type: "release",
        url: `${repository}/releases/1#${NAME}`,
        repository,
        user: person,
        name: hostile(7),
        tag_name: hostile(8),
        body: hostile(9),
        created_at: at(2),
      },
    ]),
  },
  whole: ["issues", "title"],
  accounts: [`GitHub (${NAME})`],
  tame: [],
};

const cells = (...texts: string[]): string => `${texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(",")}\n`;

export const media: HostileExport = {
  files: {
    [`Streaming_History_Audio_${NAME}.json`]: json(
      HOSTILE.map((text, index) => ({
        ts: at(index),
        ms_played: 1000,
        master_metadata_track_name: text,
        master_metadata_album_artist_name: hostile(index + 1),
        master_metadata_album_album_name: hostile(index + 2),
        spotify_track_uri: hostile(index + 3),
        platform: hostile(index + 4),
        conn_country: hostile(index + 5),
        reason_start: hostile(index + 6),
        reason_end: hostile(index + 7),
      })),
    ),
    [`${NAME}/ViewingActivity.csv`]: `Profile Name,Start Time,Duration,Attributes,Title,Supplemental Video Type,Device Type,Bookmark,Latest Bookmark,Country\n${cells(
      hostile(1),
      "2024-05-31 09:00:00",
      "00:10:00",
      "",
      `${NAME}: Season 1`,
      "",
      hostile(2),
      "",
      "",
      hostile(3),
    )}`,
    [`${NAME}/watch-history.json`]: json([
      {
        header: "YouTube",
        title: `Watched ${hostile(1)}`,
        titleUrl: `https://www.youtube.com/watch?v="><img/src=x/onerror=window.__hit=1>`,
        subtitles: [{ name: hostile(2) }],
        time: at(1),
      },
    ]),
  },
  whole: ["listens", "title"],
  // These ids are digests of the track and the time.
  tame: ["listens.id", "views.id"],
};

/** Slack escapes these three characters. */
const slackText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export const slack: HostileExport = {
  folder: `${NAME} Slack export`,
  files: {
    "users.json": json([
      {
        id: "U12345678",
        team_id: "T12345678",
        name: hostile(1),
        tz: NAME,
        updated: SECONDS,
        profile: {
          real_name: hostile(2),
          display_name: hostile(3),
          email: hostile(4),
          phone: hostile(5),
          title: hostile(6),
        },
      },
      { id: NAME, name: NAME },
    ]),
    "channels.json": json([
      {
        id: "C12345678",
        name: NAME,
        topic: { value: hostile(7) },
        purpose: { value: hostile(8) },
        creator: NAME,
        members: [NAME],
        created: SECONDS,
      },
      { id: `C${NAME}`, name: `second ${NAME}`, members: [] },
    ]),
    [`second ${NAME}/2024-05-31.json`]: json(
      HOSTILE.map((text, index) => ({
        ts: `${SECONDS + index}.000100`,
        thread_ts: `${SECONDS}.000100`,
        subtype: hostile(index + 1),
        user: index % 2 === 0 ? "U12345678" : hostile(index + 2),
        user_profile: { display_name: hostile(index + 3) },
        text: slackText(text),
        reactions: [{ name: hostile(index + 4), users: [NAME] }],
        files: [{ id: NAME, name: hostile(index + 5), title: hostile(index + 6), mimetype: NAME, permalink: NAME }],
        attachments: [{ title: hostile(index + 7), text: slackText(hostile(index + 8)), from_url: hostileUrl(index) }],
      })),
    ),
  },
  whole: ["messages", "text"],
  accounts: [NAME],
  tame: ["messages.id", "messages.thread_id"],
};

export const telegram: HostileExport = {
  files: {
    [`${NAME}/result.json`]: json({
      about: "Here is the data you requested. Telegram Desktop",
      personal_information: { user_id: 7 },
      contacts: {
        list: [
          {
            user_id: NAME,
            first_name: hostile(1),
            last_name: hostile(2),
            phone_number: hostile(3),
            date_unixtime: SECONDS,
          },
        ],
      },
      chats: {
        list: [
          {
            name: NAME,
            type: NAME,
            id: NAME,
            messages: HOSTILE.map((text, index) => ({
              id: `${index}${NAME}`,
              type: index === 3 ? "service" : "message",
              action: NAME,
              date_unixtime: String(SECONDS + index),
              from: hostile(index + 1),
              from_id: hostile(index + 2),
              reply_to_message_id: NAME,
              forwarded_from: hostile(index + 3),
              text: [text],
              file: `files/${NAME}.html`,
              file_name: hostile(index + 4),
              media_type: NAME,
              mime_type: NAME,
              location_information: { latitude: 1, longitude: 2 },
              place_name: hostile(index + 5),
              address: hostile(index + 6),
              reactions: [{ emoji: hostile(index + 7), count: 1 }],
            })),
          },
        ],
      },
    }),
    [`${NAME}/files/${NAME}.html`]: HOSTILE.join("\n"),
  },
  whole: ["messages", "text"],
  tame: [],
};

export const whatsapp: HostileExport = {
  files: {
    [`WhatsApp Chat with ${NAME}.txt`]: `${HOSTILE.map((text, index) => `31/05/2024, 09:${index + 10} - ${NAME}: ${text}`).join("\n")}\n31/05/2024, 10:00 - ${NAME}: IMG-20240531-WA0001${NAME}.jpg (file attached)\n`,
    [`IMG-20240531-WA0001${NAME}.jpg`]: HOSTILE.join("\n"),
  },
  whole: ["messages", "text"],
  // These fields are digests of the chat's name and of the message, and a file's type, size and digest.
  tame: ["messages.id", "messages.chat_id", "messages.file", "chats.id"],
};

const ytd = (name: string, list: readonly unknown[]): string => `window.YTD.${name}.part0 = ${json(list)}`;
const X_TIME = "Fri May 31 09:00:00 +0000 2024";

export const x: HostileExport = {
  files: {
    "data/account.js": ytd("account", [
      {
        account: {
          accountId: NAME,
          username: NAME,
          accountDisplayName: hostile(1),
          email: hostile(2),
          createdAt: at(0),
        },
      },
    ]),
    "data/profile.js": ytd("profile", [
      { profile: { description: { bio: hostile(3), website: hostile(4), location: hostile(5) } } },
    ]),
    "data/tweets.js": ytd(
      "tweets",
      HOSTILE.map((text, index) => ({
        tweet: {
          id_str: index === 0 ? "7" : `${index}${NAME}`,
          created_at: X_TIME,
          full_text: slackText(text),
          lang: NAME,
          source: slackText(hostile(index + 1)),
          in_reply_to_status_id_str: NAME,
          in_reply_to_screen_name: NAME,
          entities: {
            hashtags: [{ text: hostile(index + 2) }],
            user_mentions: [{ screen_name: hostile(index + 3) }],
            urls: [{ url: "https://t.co/a", expanded_url: hostileUrl(index) }],
          },
        },
      })),
    ),
    [`data/tweets_media/7-${NAME}.html`]: HOSTILE.join("\n"),
    "data/like.js": ytd("like", [
      { like: { tweetId: NAME, fullText: slackText(hostile(6)), expandedUrl: hostileUrl(6) } },
    ]),
    "data/follower.js": ytd("follower", [{ follower: { accountId: NAME, userLink: hostileUrl(7) } }]),
    "data/direct-messages.js": ytd("direct_messages", [
      {
        dmConversation: {
          conversationId: NAME,
          messages: [
            {
              messageCreate: {
                id: "8",
                createdAt: at(8),
                senderId: NAME,
                recipientId: NAME,
                text: slackText(hostile(8)),
                urls: [{ url: "https://t.co/a", expanded: hostileUrl(8) }],
                reactions: [{ reactionKey: hostile(9), senderId: NAME }],
              },
            },
            { messageCreate: { id: NAME, createdAt: at(9), senderId: NAME, text: slackText(hostile(9)) } },
          ],
        },
      },
    ]),
    [`data/direct_messages_media/8-${NAME}.html`]: HOSTILE.join("\n"),
  },
  whole: ["tweets", "text"],
  accounts: [`@${NAME}`],
  tame: [],
};
