// Declares the streams of a download from Instagram: messages, posts with stories and comments, followers and followed.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";
import { conversationsStream, messagesStream } from "../chat-streams.ts";
import { postsStream } from "../post-streams.ts";

export const instagramDeclaration = declareSource("instagram", "Instagram", [
  messagesStream("Instagram", {
    parts: [],
    without: ["edited_at", "reply_to_id"],
    extra: { duration_seconds: field.count("Duration", "Seconds that a call took.") },
  }),
  conversationsStream("Instagram", []),
  postsStream("Instagram", {
    fields: ["author_handle", "attachments"],
    extra: {
      latitude: field.number("Latitude", "Where the picture was taken, degrees north."),
      longitude: field.number("Longitude", "Where the picture was taken, degrees east."),
    },
  }),
  {
    name: "people",
    description: "Accounts that follow you, and that you follow.",
    display: { label: "Followers and following", detail: "Names of accounts, and since when" },
    kind: "person",
    roles: { title: "name", handle: "handle", time: "since" },
    schema: recordSchema("Instagram account", {
      id: field.text("Id", "Follower or following, and the account."),
      kind: field.choice("Kind", "Whether the account follows you, or you follow it.", ["follower", "following"]),
      name: field.text("Name", "Name of the account; an export has no other."),
      handle: field.text("Account", "Name of the account."),
      url: field.text("Address", "Its page."),
      since: field.instant("Since", "When it began."),
    }),
    cursor_field: "since",
    search: ["name"],
    aggregations: { group_by: ["kind"] },
  },
]);
