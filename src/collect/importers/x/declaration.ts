// What an X archive holds, declared: posts, likes, direct messages, follows, the account itself.
import { declareSource, field, hasMany, recordSchema } from "../../../core/declare.ts";

const media = field.list(
  "Media",
  "Pictures and videos of it.",
  field.object({ name: field.text("Name", "File name in the archive."), blob: field.blobRef("Bytes", "The file.") }),
);

export const xDeclaration = declareSource("x", "X (Twitter)", [
  {
    name: "tweets",
    description: "Posts, replies and reposts, deleted ones that the archive still has among them.",
    display: { label: "Posts", detail: "What was posted, when, and how it was received" },
    schema: recordSchema("Post on X", {
      id: field.text("Id", "X's id of the post."),
      kind: field.choice("Kind", "long: the whole text of a post that is cut elsewhere.", [
        "post",
        "reply",
        "repost",
        "long",
      ]),
      text: field.text("Text", "The post, with full addresses."),
      created_at: field.instant("Posted", "When it was posted."),
      language: field.text("Language", "As X guessed it."),
      like_count: field.count("Likes", "How many."),
      repost_count: field.count("Reposts", "How many."),
      reply_to_id: field.text("Answers", "The post that this one answers."),
      reply_to_user: field.text("Answers whom", "Name of the account."),
      hashtags: field.texts("Hashtags", "Without #."),
      mentions: field.texts("Mentions", "Names of accounts."),
      urls: field.texts("Links", "Full addresses."),
      app: field.text("App", "What it was posted with."),
      is_deleted: field.flag("Deleted", "It was deleted at X."),
      media,
    }),
    time: "created_at",
    views: [
      { id: "texts", label: "Posts without figures", fields: ["id", "kind", "text", "created_at"] },
      { id: "activity", label: "When, no text", fields: ["id", "kind", "created_at"] },
    ],
    related: { answers: hasMany("tweets", "reply_to_id") },
    ranges: ["created_at", "like_count", "repost_count"],
    search: ["text"],
    aggregations: {
      group_by: ["kind", "language", "app", "is_deleted", "reply_to_user"],
      group_by_time: ["created_at"],
      sum: ["like_count", "repost_count"],
      max: ["like_count", "repost_count", "created_at"],
      min: ["created_at"],
    },
  },
  {
    name: "likes",
    description: "Posts of others that the owner liked. The archive does not say when.",
    display: { label: "Likes", detail: "Posts that were liked, with their text" },
    schema: recordSchema("Like on X", {
      id: field.text("Id", "X's id of the liked post."),
      text: field.text("Text", "The post, when the archive has it."),
      url: field.text("Address", "Of the post."),
    }),
    search: ["text"],
  },
  {
    name: "direct_messages",
    description: "Direct messages, one to one and in groups.",
    display: { label: "Direct messages", detail: "Private messages: text, when, and the accounts' numbers" },
    schema: recordSchema("Direct message on X", {
      id: field.text("Id", "X's id of the message."),
      conversation_id: field.text("Conversation", "Which conversation."),
      sender_id: field.text("Sender", "Number of the account."),
      recipient_id: field.text("Recipient", "Number of the account; absent in groups."),
      text: field.text("Text", "The message, with full addresses."),
      created_at: field.instant("Sent", "When it was sent."),
      urls: field.texts("Links", "Full addresses."),
      reactions: field.list(
        "Reactions",
        "Emoji and who gave them.",
        field.object({ emoji: field.text("Emoji", "Its name."), user_id: field.text("By", "Number of the account.") }),
      ),
      media,
    }),
    time: "created_at",
    views: [
      { id: "activity", label: "Who and when, no text", fields: ["id", "conversation_id", "sender_id", "created_at"] },
    ],
    ranges: ["created_at"],
    search: ["text"],
    aggregations: {
      count_distinct: ["conversation_id", "sender_id"],
      group_by: ["conversation_id", "sender_id"],
      group_by_time: ["created_at"],
    },
  },
  {
    name: "follows",
    description: "Accounts that follow the owner, and that the owner follows; by number, as the archive has them.",
    display: { label: "Follows", detail: "Numbers of accounts followed and following" },
    schema: recordSchema("Follow on X", {
      id: field.text("Id", "Kind and account."),
      kind: field.choice("Kind", "follower: they follow the owner.", ["follower", "following"]),
      account_id: field.text("Account", "Number of the account."),
      url: field.text("Address", "Of the account."),
    }),
    aggregations: { group_by: ["kind"] },
  },
  {
    name: "account",
    description: "The account that the archive is of.",
    display: { label: "Account", detail: "Name, address and description of the account" },
    schema: recordSchema("Account on X", {
      id: field.text("Id", "Number of the account."),
      name: field.text("Name", "Display name."),
      username: field.text("User name", "Without @."),
      email: field.text("E-mail", "Address."),
      bio: field.text("Description", "What the profile says."),
      website: field.text("Website", "Address."),
      location: field.text("Place", "As written in the profile."),
      created_at: field.instant("Created", "When the account was made."),
    }),
  },
]);
