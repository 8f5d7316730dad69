// What the mail source tells of itself: messages, their fields and what may be asked of them.
import {
  count,
  declareSource,
  flag,
  instant,
  list,
  object,
  ranges,
  recordSchema,
  selectable,
  text,
} from "../declare.ts";

const address = object(
  {
    name: text("Name", "As the mail has it; may be empty."),
    address: text("Address", "E-mail address, in small letters."),
  },
  ["name", "address"],
);
const blobRef = object(
  {
    blob_id: text("Blob id", "Names the bytes."),
    mime_type: text("Media type", "What the bytes are."),
    size_bytes: count("Size", "Bytes."),
    sha256: text("SHA-256", "Hex digest of the bytes."),
  },
  ["blob_id", "mime_type", "size_bytes", "sha256"],
);

const HEADER_FIELDS = [
  "id",
  "thread_id",
  "folder",
  "labels",
  "from_name",
  "from_address",
  "to",
  "cc",
  "subject",
  "sent_at",
  "unread",
  "has_attachments",
];

export const mailDeclaration = declareSource("mail", "Mail", [
  {
    name: "messages",
    description: "Mails received, sent and drafted, one record for each message however many copies there are.",
    display: { label: "Mails", detail: "Senders, recipients, subjects, full text and attached files" },
    semantics: "mutable_state",
    schema: recordSchema("Mail", {
      id: text("Id", "Made from the Message-ID, or from the mail when it has none."),
      message_id: text("Message-ID", "As in the header, without brackets."),
      thread_id: text("Thread id", "The same for mails that answer one another."),
      in_reply_to: text("In reply to", "Message-ID of the mail it answers."),
      subject: text("Subject", "Subject line."),
      from_name: text("From", "Name of the sender, or the address."),
      from_address: text("From address", "Address of the sender."),
      to: list("To", "Recipients.", address),
      cc: list("Cc", "Copied recipients.", address),
      bcc: list("Bcc", "Hidden recipients; only sent mail has them.", address),
      sent_at: instant("Sent", "When it was sent; when received or filed, if it does not say."),
      folder: text("Folder", "The folder or the first label."),
      labels: list("Labels", "All folders and labels it lies under.", { type: "string" }),
      list_id: text("List", "The mailing list or newsletter it came by."),
      snippet: text("Snippet", "How its text begins."),
      body: text("Body", "Its text; HTML is turned into text."),
      body_cut: flag("Cut", "The text was longer than 500,000 characters."),
      unread: flag("Unread", "It has not been opened."),
      starred: flag("Starred", "It was flagged."),
      answered: flag("Answered", "It was replied to."),
      draft: flag("Draft", "It was never sent."),
      deleted: flag("Deleted", "It is marked for deletion."),
      attachments: list(
        "Attachments",
        "Files that came with it.",
        object(
          {
            filename: text("File name", "As the sender called it."),
            mime_type: text("Media type", "As the sender declared it."),
            inline: flag("Inline", "A picture inside the HTML text."),
            blob_ref: blobRef,
          },
          ["mime_type", "inline", "blob_ref"],
        ),
      ),
      has_attachments: flag("Has attachments", "Files hang on it besides pictures in the text."),
      size_bytes: count("Size", "Bytes of the whole mail."),
    }),
    primary_key: ["id"],
    cursor_field: "sent_at",
    consent_time_field: "sent_at",
    selection: selectable,
    views: [
      { id: "headers", label: "Who, when and subject, no text", fields: HEADER_FIELDS },
      { id: "text", label: "With text, without attached files", fields: [...HEADER_FIELDS, "snippet", "body"] },
    ],
    query: {
      range_filters: ranges("sent_at", "size_bytes"),
      search: { lexical_fields: ["subject", "body", "from_name"] },
      aggregations: {
        count: true,
        count_distinct: ["from_address", "thread_id", "list_id"],
        group_by: ["folder", "from_name", "from_address", "list_id", "thread_id", "unread", "has_attachments"],
        group_by_time: ["sent_at"],
        sum: ["size_bytes"],
        avg: ["size_bytes"],
        min: ["sent_at"],
        max: ["sent_at", "size_bytes"],
      },
    },
  },
]);
