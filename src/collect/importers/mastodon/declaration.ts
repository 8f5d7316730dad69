// Declares the streams of a Mastodon account archive: posts and reposts, likes and bookmarks.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";
import { postsStream } from "../post-streams.ts";

export const mastodonDeclaration = declareSource("mastodon", "Mastodon", [
  postsStream("Mastodon", {
    fields: ["author_handle", "url", "reply_to_id", "tags", "attachments"],
    extra: {
      warning: field.text("Content warning", "What is shown before the text."),
      visibility: field.choice("Visibility", "Who can see it.", ["public", "unlisted", "followers", "direct"]),
    },
  }),
  {
    name: "saved",
    description: "Other people's posts that you liked or bookmarked.",
    display: { label: "Likes and bookmarks", detail: "Addresses of posts" },
    kind: "bookmark",
    roles: { url: "url" },
    schema: recordSchema("Liked or bookmarked on Mastodon", {
      id: field.text("Id", "Derived from the kind and the address."),
      kind: field.choice("Kind", "Whether you liked or bookmarked it.", ["like", "bookmark"]),
      url: field.text("Address", "Address of the post."),
    }),
    search: ["url"],
    aggregations: { group_by: ["kind"] },
  },
]);
