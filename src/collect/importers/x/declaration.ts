// Declares the streams of an X archive: posts, likes, direct messages, follows, and the account.
import { declareSource, field, hasMany, recordSchema } from "../../../core/declare.ts";

const media = field.list(
  "Media",
  "Pictures and videos in it.",
  field.object({ name: field.text("Name", "File name in the archive."), blob: field.blobRef("Bytes", "The file.") }),
);

export const xDeclaration = declareSource("x", "X (Twitter)", [
  {
    name: "tweets",
    description: "Posts, replies and reposts, including deleted ones that are still in the archive.",
    display: { label: "Posts", detail: "What was posted, when, and how it was received" },
    kind: "post",
    roles: { text: "text", reply_to: "reply_to_id" },
    schema: recordSchema("Post on X", {
      id: field.text("Id", "Id of the post on X."),
      kind: field.choice("Kind", "“long” if this is the full text of a post that is shortened elsewhere.", [
        "post",
        "reply",
        "repost",
        "long",
      ]),
      text: field.text("Text", "The post, with full addresses."),
      created_at: field.instant("Posted", "When it was posted."),
      language: field.text("Language", "Language detected by X."),
      like_count: field.count("Likes", "Number of likes."),
      repost_count: field.count("Reposts", "Number of reposts."),
      reply_to_id: field.text("In reply to", "The post that this one replies to."),
      reply_to_user: field.text("In reply to account", "Account that it replies to."),
      hashtags: field.texts("Hashtags", "Without #."),
      mentions: field.texts("Mentions", "Names of accounts."),
      urls: field.texts("Links", "Full addresses."),
      app: field.text("App", "App it was posted with."),
      is_deleted: field.flag("Deleted", "Whether it was deleted on X."),
      media,
    }),
    time: "created_at",
    views: [
      { id: "texts", label: "Posts without counts", fields: ["id", "kind", "text", "created_at"] },
      { id: "activity", label: "When, no text", fields: ["id", "kind", "created_at"] },
    ],
    related: { answers: hasMany("tweets", "reply_to_id") },
    ranges: ["like_count", "repost_count"],
    search: ["text"],
    aggregations: {
      group_by: ["kind", "language", "app", "is_deleted", "reply_to_user", "hashtags", "mentions"],
      sum: ["like_count", "repost_count"],
      max: ["like_count", "repost_count"],
    },
  },
  {
    name: "likes",
    description: "Other people's posts that the owner liked. The archive has no dates for likes.",
    display: { label: "Likes", detail: "Posts that were liked, with their text" },
    kind: "post",
    roles: { text: "text", url: "url" },
    schema: recordSchema("Like on X", {
      id: field.text("Id", "Id of the liked post on X."),
      text: field.text("Text", "Text of the post, if it is in the archive."),
      url: field.text("Address", "Address of the post."),
    }),
    search: ["text"],
  },
  {
    name: "direct_messages",
    description: "Direct messages, one-to-one and in groups.",
    display: { label: "Direct messages", detail: "Private messages: their text, time and account ids" },
    kind: "message",
    roles: { text: "text", "from.handle": "sender_id", conversation: "conversation_id" },
    schema: recordSchema("Direct message on X", {
      id: field.text("Id", "Id of the message on X."),
      conversation_id: field.text("Conversation", "Id of the conversation."),
      sender_id: field.text("Sender", "Id of the sender's account."),
      recipient_id: field.text("Recipient", "Id of the recipient's account; absent in groups."),
      text: field.text("Text", "The message, with full addresses."),
      created_at: field.instant("Sent", "When it was sent."),
      urls: field.texts("Links", "Full addresses."),
      reactions: field.list(
        "Reactions",
        "Emoji reactions, and who added them.",
        field.object({
          emoji: field.text("Emoji", "Name of the emoji."),
          user_id: field.text("By", "Id of the account that reacted."),
        }),
      ),
      media,
    }),
    time: "created_at",
    views: [
      { id: "activity", label: "Who and when, no text", fields: ["id", "conversation_id", "sender_id", "created_at"] },
    ],
    search: ["text"],
    aggregations: {
      count_distinct: ["conversation_id", "sender_id"],
      group_by: ["conversation_id", "sender_id"],
    },
  },
  {
    name: "follows",
    description: "Accounts that follow the owner or that the owner follows. The archive has only their ids.",
    display: { label: "Follows", detail: "Ids of your followers and of accounts you follow" },
    schema: recordSchema("Follow on X", {
      id: field.text("Id", "Derived from the kind and the account."),
      kind: field.choice("Kind", "follower if the account follows the owner.", ["follower", "following"]),
      account_id: field.text("Account", "Id of the account."),
      url: field.text("Address", "Address of the account."),
    }),
    aggregations: { group_by: ["kind"] },
  },
  {
    name: "account",
    description: "The account that the archive belongs to.",
    display: { label: "Account", detail: "Name, address and description of the account" },
    kind: "person",
    roles: { title: "name", handle: "username", address: "email", text: "bio", time: "created_at" },
    schema: recordSchema("Account on X", {
      id: field.text("Id", "Id of the account."),
      name: field.text("Name", "Display name."),
      username: field.text("User name", "Without @."),
      email: field.text("Email", "Address."),
      bio: field.text("Description", "What the profile says."),
      website: field.text("Website", "Address."),
      location: field.text("Place", "Place given in the profile."),
      created_at: field.instant("Created", "When the account was created."),
    }),
  },
]);
