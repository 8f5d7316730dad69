// Declares the streams of a Facebook download: Messenger messages, posts and comments, friends, album photos.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";
import { conversationsStream, messagesStream } from "../chat-streams.ts";
import { postsStream } from "../post-streams.ts";

export const facebookDeclaration = declareSource("facebook", "Facebook", [
  messagesStream("Messenger", {
    parts: [],
    without: ["edited_at", "reply_to_id"],
    extra: { duration_seconds: field.count("Duration", "Length of a call in seconds.") },
  }),
  conversationsStream("Messenger", []),
  postsStream("Facebook", {
    fields: ["author_name", "url", "attachments"],
    extra: { title: field.text("Title", "Facebook's description of the post: who did what.") },
  }),
  {
    name: "friends",
    description: "Friends on Facebook.",
    display: { label: "Friends", detail: "Names, and when you became friends" },
    kind: "person",
    roles: { title: "name", time: "added_at" },
    schema: recordSchema("Facebook friend", {
      id: field.text("Id", "Derived from the name and the time."),
      name: field.text("Name", "Name of the friend."),
      added_at: field.instant("Friends since", "When you became friends."),
    }),
    cursor_field: "added_at",
    search: ["name"],
  },
  {
    name: "photos",
    description: "Photos and videos in albums.",
    display: { label: "Photos", detail: "Pictures in albums, with your captions" },
    kind: "photo",
    roles: { picture: "picture", title: "name", text: "text", album: "album" },
    schema: recordSchema("Facebook photo", {
      id: field.text("Id", "Derived from its path in the download."),
      name: field.text("Name", "File name."),
      text: field.text("Description", "Your caption."),
      album: field.text("Album", "Name of the album."),
      created_at: field.instant("Added", "When it was uploaded."),
      picture: field.blobRef("Picture", "The file, if it is part of the download."),
    }),
    time: "created_at",
    search: ["text", "album"],
    aggregations: { group_by: ["album"] },
  },
]);
