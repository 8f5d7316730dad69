// Declares the streams of a Reddit data request: posts and comments, messages, saved items.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";
import { messagesStream } from "../chat-streams.ts";
import { postsStream } from "../post-streams.ts";

const { related: _conversations, ...messages } = messagesStream("Reddit", {
  parts: ["handle"],
  without: ["edited_at", "reply_to_id", "reactions", "attachments"],
  extra: { subject: field.text("Subject", "Subject line.") },
});

export const redditDeclaration = declareSource("reddit", "Reddit", [
  postsStream("Reddit", {
    fields: ["url", "reply_to_id"],
    extra: {
      title: field.text("Title", "Title of the post."),
      subreddit: field.text("Subreddit", "Subreddit in which it was published."),
      link: field.text("Link", "For a post, the page it links to; for a comment, the post."),
    },
  }),
  messages,
  {
    name: "saved",
    description: "Posts and comments that you saved on Reddit.",
    display: { label: "Saved", detail: "Addresses of saved posts and comments" },
    kind: "bookmark",
    roles: { url: "url" },
    schema: recordSchema("Saved on Reddit", {
      id: field.text("Id", "Id on Reddit."),
      kind: field.choice("Kind", "Whether a post or a comment was saved.", ["post", "comment"]),
      url: field.text("Address", "Address of the post or comment."),
    }),
    search: ["url"],
    aggregations: { group_by: ["kind"] },
  },
]);
