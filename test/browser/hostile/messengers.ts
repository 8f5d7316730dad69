// Hostile messenger exports: databases, backups and downloads with an attack in every string.
import { databaseBytes } from "../../../src/collect/importers/database.fixture.ts";
import { HOSTILE, hostile, hostileUrl, NAME } from "./corpus.ts";
import type { HostileExport } from "./exports.ts";

const SECONDS = 1_717_146_000;

/** The parts of the Messages database that the importer reads. */
function messagesDatabase(): Buffer {
  const tables = `
    CREATE TABLE handle (ROWID INTEGER PRIMARY KEY, id TEXT);
    CREATE TABLE chat (ROWID INTEGER PRIMARY KEY, guid TEXT, style INTEGER, display_name TEXT, account_login TEXT);
    CREATE TABLE message (ROWID INTEGER PRIMARY KEY, guid TEXT, text TEXT, handle_id INTEGER, subject TEXT, service TEXT,
      date INTEGER, is_from_me INTEGER, thread_originator_guid TEXT, associated_message_guid TEXT,
      associated_message_type INTEGER, associated_message_emoji TEXT);
    CREATE TABLE attachment (ROWID INTEGER PRIMARY KEY, filename TEXT, transfer_name TEXT, mime_type TEXT);
    CREATE TABLE chat_message_join (chat_id INTEGER, message_id INTEGER);
    CREATE TABLE chat_handle_join (chat_id INTEGER, handle_id INTEGER);
    CREATE TABLE message_attachment_join (message_id INTEGER, attachment_id INTEGER);`;
  return databaseBytes(tables, (database) => {
    database.prepare("INSERT INTO handle VALUES (1, ?), (2, ?)").run(`${NAME}@x`, hostile(1));
    database.prepare("INSERT INTO chat VALUES (1, ?, 43, ?, ?)").run(NAME, hostile(2), NAME);
    database.exec(
      "INSERT INTO chat_handle_join VALUES (1, 1), (1, 2); INSERT INTO message_attachment_join VALUES (1, 1)",
    );
    database.prepare("INSERT INTO attachment VALUES (1, ?, ?, ?)").run(`Attachments/${NAME}.html`, hostile(3), NAME);
    const insert = database.prepare("INSERT INTO message VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)");
    for (const [index, text] of HOSTILE.entries()) {
      const row = index + 1;
      insert.run(row, `${row}${NAME}`, text, 1 + (index % 2), hostile(index), NAME, 700_000_000 + row, NAME, "", 0, "");
      database.exec(`INSERT INTO chat_message_join VALUES (1, ${row})`);
    }
    insert.run(99, "99", "", 1, "", "", 700_000_099, "", `p:0/1${NAME}`, 2006, hostile(4));
  });
}

export const imessage: HostileExport = {
  files: { "chat.db": messagesDatabase(), [`Attachments/${NAME}.html`]: HOSTILE.join("\n") },
  whole: ["messages", "text"],
  accounts: [`iMessage (${NAME})`],
  // Phone numbers consist of digits.
  tame: ["conversations.id", "messages.conversation_id", "messages.sender_number"],
};

/** Escapes the characters that an XML attribute cannot contain. */
const attribute = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

export const sms: HostileExport = {
  files: {
    [`${NAME}.xml`]: `<smses count="1">${HOSTILE.map(
      (text, index) =>
        `<sms address="${attribute(index % 2 === 0 ? `${NAME}@x` : "+15551234567")}" date="${SECONDS + index}000" type="1" ` +
        `body="${attribute(text)}" subject="${attribute(hostile(index + 1))}" contact_name="${attribute(hostile(index + 2))}"/>`,
    ).join("\n")}<mms date="${SECONDS}500" msg_box="1" address="${attribute(NAME)}"><parts><part ct="${attribute(NAME)}"
      cl="${attribute(hostile(3))}" data="${Buffer.from(hostile(4)).toString("base64")}"/></parts></mms></smses>`,
  },
  whole: ["messages", "text"],
  // These fields are phone numbers, or digests of messages and phone numbers.
  tame: ["messages.id", "messages.conversation_id", "messages.sender_number", "conversations.id"],
};

const json = (value: unknown): string => JSON.stringify(value);
const at = (index: number): string => new Date((SECONDS + index) * 1000).toISOString();

/** A thread in the format of Facebook and Instagram, whose JSON contains only characters below U+0100. */
const thread = (file: string): string =>
  json({
    participants: [{ name: NAME }, { name: hostile(1) }],
    messages: HOSTILE.map((text, index) => ({
      sender_name: hostile(index + 1),
      timestamp_ms: (SECONDS + index) * 1000,
      content: text,
      files: [{ uri: file }],
      reactions: [{ reaction: hostile(index + 2), actor: hostile(index + 3) }],
    })),
    title: hostile(4),
    thread_path: NAME,
  });

export const facebook: HostileExport = {
  files: {
    "profile_information.json": json({ profile_v2: { name: { full_name: NAME }, emails: { emails: [NAME] } } }),
    "your_friends.json": json({ friends_v2: [{ name: NAME, timestamp: SECONDS }] }),
    "messages/inbox/a_1/message_1.json": thread(`messages/inbox/a_1/files/${NAME}.html`),
    [`messages/inbox/a_1/files/${NAME}.html`]: HOSTILE.join("\n"),
    "posts/your_posts_1.json": json([
      {
        timestamp: SECONDS,
        data: [{ post: hostile(1) }],
        title: hostile(2),
        attachments: [
          { data: [{ media: { uri: `posts/media/${NAME}.svg` } }, { external_context: { url: hostileUrl(3) } }] },
        ],
      },
    ]),
    "posts/album/0.json": json({
      name: hostile(3),
      photos: [{ uri: `posts/media/${NAME}.svg`, creation_timestamp: SECONDS, description: hostile(4) }],
    }),
    [`posts/media/${NAME}.svg`]: HOSTILE.join("\n"),
  },
  whole: ["messages", "text"],
  accounts: [`Facebook (${NAME})`],
  // These fields are digests, the type of a post, and a picture's type, size and digest.
  tame: [
    "conversations.id",
    "friends.id",
    "messages.conversation_id",
    "messages.id",
    "photos.id",
    "photos.picture",
    "posts.id",
    "posts.kind",
  ],
};

export const instagram: HostileExport = {
  files: {
    "followers_1.json": json([
      { title: "", media_list_data: [], string_list_data: [{ href: hostileUrl(1), value: NAME, timestamp: SECONDS }] },
    ]),
    "personal_information.json": json({
      profile_user: [{ string_map_data: { Username: { value: NAME }, Name: { value: NAME } } }],
    }),
    "your_instagram_activity/messages/inbox/a_1/message_1.json": thread(`messages/inbox/a_1/photos/${NAME}.jpg`),
    [`your_instagram_activity/messages/inbox/a_1/photos/${NAME}.jpg`]: HOSTILE.join("\n"),
    "posts_1.json": json([
      { media: [{ uri: `media/posts/2/${NAME}.html`, creation_timestamp: SECONDS, title: hostile(3) }] },
      { [`ig_${NAME}`]: [{ uri: `media/posts/1/${NAME}.html`, creation_timestamp: SECONDS, title: hostile(2) }] },
    ]),
  },
  whole: ["messages", "text"],
  accounts: [`@${NAME}`],
  // These ids are digests of messages.
  tame: ["conversations.id", "messages.conversation_id", "messages.id", "posts.id"],
};

const user = (name: string): object => ({ name, email: `${NAME}@x`, user_type: "Human" });

export const googleChat: HostileExport = {
  files: {
    "group_info.json": json({ name: hostile(1), members: [user(NAME), user(hostile(2))] }),
    "messages.json": json({
      messages: HOSTILE.map((text, index) => ({
        creator: user(hostile(index + 1)),
        created_date: at(index),
        text,
        topic_id: NAME,
        message_id: `${NAME}/${index}${NAME}/b${index}`,
        attached_files: [{ original_name: hostile(index + 2), export_name: NAME }],
        reactions: [{ emoji: { unicode: hostile(index + 3) }, reactor_emails: [NAME] }],
      })),
    }),
    "user_info.json": json({ user: { email: NAME } }),
  },
  whole: ["messages", "text"],
  accounts: [`Google Chat (${NAME.toLowerCase()})`],
  tame: [],
};

const lines = (values: readonly unknown[]): string => values.map((value) => `${json(value)}\n`).join("");

export const signal: HostileExport = {
  files: {
    "main.jsonl": lines([
      { version: "1", backupTimeMs: "1" },
      { account: { username: NAME, givenName: NAME } },
      { recipient: { id: NAME, contact: { aci: NAME, e164: NAME, username: NAME, profileGivenName: hostile(1) } } },
      { chat: { id: NAME, recipientId: NAME } },
      ...HOSTILE.map((text, index) => ({
        chatItem: {
          chatId: NAME,
          authorId: NAME,
          dateSent: String((SECONDS + index) * 1000),
          incoming: {},
          standardMessage: {
            text: { body: text },
            quote: { targetSentTimestamp: NAME, authorId: NAME },
            attachments: [{ pointer: { fileName: hostile(index + 1), contentType: NAME } }],
            reactions: [{ emoji: hostile(index + 2), authorId: NAME }],
          },
        },
      })),
    ]),
  },
  whole: ["messages", "text"],
  accounts: [`Signal (${NAME})`],
  // These ids are digests.
  tame: ["contacts.id", "conversations.id", "messages.conversation_id", "messages.id", "messages.reply_to_id"],
};

export const discord: HostileExport = {
  files: {
    "Account/user.json": json({ id: NAME, username: NAME, global_name: NAME }),
    "Messages/c1/channel.json": json({ id: NAME, type: NAME, name: null, guild: { name: NAME } }),
    "Messages/c1/messages.json": json([
      { ID: NAME, Timestamp: at(0), Contents: hostile(1), Attachments: hostileUrl(1) },
    ]),
    "Messages/index.json": json({ "900000000000000001": NAME, [NAME]: `Direct Message with ${NAME}` }),
    "channel.json": json({
      guild: { id: NAME, name: hostile(1) },
      channel: { id: `c${NAME}`, type: NAME, name: hostile(2) },
      messages: HOSTILE.map((text, index) => ({
        id: `${index}${NAME}`,
        type: "Default",
        timestamp: at(index),
        content: text,
        author: { name: hostile(index + 1), nickname: hostile(index + 2) },
        attachments: [{ url: hostileUrl(index), fileName: hostile(index + 3) }],
        reactions: [{ emoji: { name: hostile(index + 4) }, users: [{ name: NAME }] }],
        reference: { messageId: NAME },
      })),
    }),
  },
  whole: ["messages", "text"],
  accounts: [`Discord (${NAME})`],
  tame: [],
};

/** Skype writes HTML, where the hostile text is escaped. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export const skype: HostileExport = {
  files: {
    "messages.json": json({
      userId: NAME,
      exportDate: at(0),
      conversations: [
        {
          id: `8:${NAME}`,
          displayName: hostile(1),
          MessageList: HOSTILE.map((text, index) => ({
            id: `${index}${NAME}`,
            displayName: text,
            originalarrivaltime: at(index),
            messagetype: "RichText",
            content: escaped(hostile(index + 1)),
            from: `8:${hostile(index + 2)}`,
            amsreferences: [hostile(index + 3)],
          })),
        },
      ],
    }),
  },
  whole: ["messages", "sender_name"],
  accounts: [`Skype (${NAME})`],
  tame: ["conversations.id", "messages.conversation_id", "messages.id"],
};
