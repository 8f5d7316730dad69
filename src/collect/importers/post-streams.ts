// Streams that social networks have in common: posts, and the accounts that the owner follows or knows.
import type { JsonSchema } from "../../contract/declaration.ts";
import type { JsonObject } from "../../contract/json.ts";
import { type DeclaredStream, field, recordSchema } from "../../core/declare.ts";
import type { ChatAttachment } from "./chat-streams.ts";
import { present } from "./json-fields.ts";
import { keptText } from "./kept-text.ts";

export interface Post {
  id: string;
  /** The service's own kind: post, comment, story, repost … */
  kind: string;
  text?: string | undefined;
  createdAt: string | undefined;
  authorName?: string | undefined;
  authorHandle?: string | undefined;
  url?: string | undefined;
  replyTo?: string | undefined;
  tags?: readonly string[];
  attachments?: readonly ChatAttachment[];
}

type PostField = "author_name" | "author_handle" | "url" | "reply_to_id" | "tags" | "attachments";

interface PostsOptions {
  name?: string;
  label?: string;
  detail?: string;
  /** The optional fields that this source has. */
  fields: readonly PostField[];
  extra?: Record<string, JsonSchema>;
}

const FIELDS: Record<PostField, JsonSchema> = {
  author_name: field.text("Author", "Name of the author."),
  author_handle: field.text("Author’s handle", "The author's user name on the service."),
  url: field.text("Address", "Web address of the post, or of the page that it shares."),
  reply_to_id: field.text("In reply to", "The post that this one replies to."),
  tags: field.texts("Tags", "Hashtags, without #."),
  attachments: field.list(
    "Media",
    "Pictures and videos.",
    field.object({
      name: field.text("Name", "File name, or a description of the picture."),
      mime_type: field.text("Media type", "Media type of the file."),
      url: field.text("Address", "Web address of the file on the service."),
      blob: field.blobRef("Bytes", "The file, if it is part of the export."),
    }),
  ),
};
const ROLES: Partial<Record<PostField, string>> = {
  author_name: "author.name",
  author_handle: "author.handle",
  url: "url",
  reply_to_id: "reply_to",
  attachments: "attachments",
};

/** `source` is the name of the service, for titles. */
export function postsStream(source: string, options: PostsOptions): DeclaredStream {
  const { name = "posts", label = "Posts", detail = "What you published, with pictures", fields, extra = {} } = options;
  return {
    name,
    description: `${label} of ${source}.`,
    display: { label, detail },
    kind: "post",
    roles: {
      text: "text",
      ...Object.fromEntries(fields.flatMap((own) => (ROLES[own] === undefined ? [] : [[ROLES[own], own]]))),
    },
    schema: recordSchema(`${source} ${label.toLowerCase()}`, {
      id: field.text("Id", "Id of the post."),
      kind: field.text("Kind", "What the service calls it: post, comment, story …"),
      text: field.text("Text", "Text of the post."),
      is_cut: field.flag("Cut", "Whether the text was cut because it is too long."),
      created_at: field.instant("Published", "When it was published."),
      ...Object.fromEntries(fields.map((own) => [own, FIELDS[own]])),
      ...extra,
    }),
    time: "created_at",
    search: ["text"],
    aggregations: { group_by: ["kind"] },
  };
}

export function postRecord(post: Post, extra: Parameters<typeof present>[0] = {}): JsonObject {
  const { id, kind, text, createdAt, authorName, authorHandle, url, replyTo, tags = [], attachments = [] } = post;
  return present({
    id,
    kind,
    ...keptText("text", text),
    created_at: createdAt,
    author_name: authorName,
    author_handle: authorHandle,
    url,
    reply_to_id: replyTo,
    tags: tags.length === 0 ? undefined : [...tags],
    attachments: attachments.length === 0 ? undefined : attachments.map((one) => present({ ...one })),
    ...extra,
  });
}
