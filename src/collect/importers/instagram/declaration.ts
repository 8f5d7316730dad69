// Declares the streams of an Instagram download: messages, posts with stories and comments, followers and followed
// accounts.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";
import { conversationsStream, messagesStream } from "../chat-streams.ts";
import { postsStream } from "../post-streams.ts";

export const instagramDeclaration = declareSource("instagram", "Instagram", [
  messagesStream("Instagram", {
    parts: [],
    without: ["edited_at", "reply_to_id"],
    extra: { duration_seconds: field.count("Duration", "Length of a call in seconds.") },
  }),
  conversationsStream("Instagram", []),
  postsStream("Instagram", {
    fields: ["author_handle", "attachments"],
    extra: {
      latitude: field.number("Latitude", "Where the picture was taken, in degrees north."),
      longitude: field.number("Longitude", "Where the picture was taken, in degrees east."),
    },
  }),
  {
    name: "people",
    description: "Accounts that follow you, and accounts that you follow.",
    display: { label: "Followers and following", detail: "Names of accounts, and when they or you started following" },
    kind: "person",
    roles: { title: "name", handle: "handle", time: "since" },
    schema: recordSchema("Instagram account", {
      id: field.text("Id", "Derived from the kind and the account."),
      kind: field.choice("Kind", "Whether the account follows you, or you follow it.", ["follower", "following"]),
      name: field.text("Name", "Name of the account."),
      handle: field.text("Account", "Name of the account."),
      url: field.text("Address", "Address of the account's page."),
      since: field.instant("Since", "When one account started following the other."),
    }),
    cursor_field: "since",
    search: ["name"],
    aggregations: { group_by: ["kind"] },
  },
]);
