// Declares the streams of a Bluesky repository: posts and reposts, likes, follows.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";
import { postsStream } from "../post-streams.ts";

export const blueskyDeclaration = declareSource("bluesky", "Bluesky", [
  postsStream("Bluesky", {
    fields: ["author_handle", "url", "reply_to_id", "tags", "attachments"],
    extra: { languages: field.texts("Languages", "Languages that the post is written in.") },
  }),
  {
    name: "likes",
    description: "Posts that you liked on Bluesky.",
    display: { label: "Likes", detail: "Addresses of posts, and when you liked them" },
    kind: "bookmark",
    roles: { url: "url" },
    schema: recordSchema("Like on Bluesky", {
      id: field.text("Id", "Address of the record."),
      url: field.text("Address", "Address of the post."),
      created_at: field.instant("Liked", "When you liked it."),
    }),
    time: "created_at",
    search: ["url"],
  },
  {
    name: "follows",
    description: "Accounts that you follow on Bluesky.",
    display: { label: "Following", detail: "Accounts, and when you followed them" },
    kind: "person",
    roles: { title: "name", handle: "handle" },
    schema: recordSchema("Account followed on Bluesky", {
      id: field.text("Id", "Address of the record."),
      name: field.text("Name", "Id of the account; the export has no names."),
      handle: field.text("Account", "Id of the account."),
      created_at: field.instant("Since", "When you started following it."),
    }),
    time: "created_at",
    search: ["name"],
  },
]);
