// Declares the streams of a download from Facebook: messages of Messenger, posts and comments, friends, photos of albums.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";
import { conversationsStream, messagesStream } from "../chat-streams.ts";
import { postsStream } from "../post-streams.ts";

export const facebookDeclaration = declareSource("facebook", "Facebook", [
  messagesStream("Messenger", {
    parts: [],
    without: ["edited_at", "reply_to_id"],
    extra: { duration_seconds: field.count("Duration", "Seconds that a call took.") },
  }),
  conversationsStream("Messenger", []),
  postsStream("Facebook", {
    fields: ["author_name", "url", "attachments"],
    extra: { title: field.text("Title", "What Facebook says about it: who did what.") },
  }),
  {
    name: "friends",
    description: "Friends on Facebook.",
    display: { label: "Friends", detail: "Names, and since when" },
    kind: "person",
    roles: { title: "name", time: "added_at" },
    schema: recordSchema("Facebook friend", {
      id: field.text("Id", "Made from the name and the time."),
      name: field.text("Name", "Name of the friend."),
      added_at: field.instant("Friends since", "When you became friends."),
    }),
    cursor_field: "added_at",
    search: ["name"],
  },
  {
    name: "photos",
    description: "Photos and videos in albums.",
    display: { label: "Photos", detail: "Pictures in albums, with what you wrote below them" },
    kind: "photo",
    roles: { picture: "picture", title: "name", text: "text", album: "album" },
    schema: recordSchema("Facebook photo", {
      id: field.text("Id", "Made from its place in the download."),
      name: field.text("Name", "File name."),
      text: field.text("Description", "What you wrote below it."),
      album: field.text("Album", "Name of the album."),
      created_at: field.instant("Added", "When it was uploaded."),
      picture: field.blobRef("Picture", "The file, if the download has it."),
    }),
    time: "created_at",
    search: ["text", "album"],
    aggregations: { group_by: ["album"] },
  },
]);
