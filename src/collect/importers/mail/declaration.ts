// The declaration of the mail source: messages, their fields and the queries they support.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";

const address = field.object(
  {
    name: field.text("Name", "As the mail has it; may be empty."),
    address: field.text("Address", "E-mail address, in small letters."),
  },
  ["name", "address"],
);
const blobRef = field.object(
  {
    blob_id: field.text("Blob id", "Names the bytes."),
    mime_type: field.text("Media type", "What the bytes are."),
    size_bytes: field.count("Size", "Bytes."),
    sha256: field.text("SHA-256", "Hex digest of the bytes."),
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
    kind: "email",
    roles: {
      title: "subject",
      text: "body",
      "text.more": "snippet",
      "from.name": "from_name",
      "from.address": "from_address",
      to: "to",
      cc: ["cc", "bcc"],
      thread: "thread_id",
      reply_to: "in_reply_to",
      unread: "unread",
      folder: "folder",
      tags: "labels",
      attachments: "attachments",
    },
    schema: recordSchema("Mail", {
      id: field.text("Id", "Made from the Message-ID, or from the mail when it has none."),
      message_id: field.text("Message-ID", "As in the header, without brackets."),
      thread_id: field.text("Thread id", "The same for mails that answer one another."),
      in_reply_to: field.text("In reply to", "Message-ID of the mail it answers."),
      subject: field.text("Subject", "Subject line."),
      from_name: field.text("From", "Name of the sender, or the address."),
      from_address: field.text("From address", "Address of the sender."),
      to: field.list("To", "Recipients.", address),
      cc: field.list("Cc", "Copied recipients.", address),
      bcc: field.list("Bcc", "Hidden recipients; only sent mail has them.", address),
      sent_at: field.instant("Sent", "When it was sent; when received or filed, if it does not say."),
      folder: field.text("Folder", "The folder or the first label."),
      labels: field.texts("Labels", "All folders and labels it lies under."),
      list_id: field.text("List", "The mailing list or newsletter it came by."),
      snippet: field.text("Snippet", "How its text begins."),
      body: field.text("Body", "Its text; HTML is turned into text."),
      body_cut: field.flag("Cut", "The text was longer than 500,000 characters."),
      unread: field.flag("Unread", "It has not been opened."),
      starred: field.flag("Starred", "It was flagged."),
      answered: field.flag("Answered", "It was replied to."),
      draft: field.flag("Draft", "It was never sent."),
      deleted: field.flag("Deleted", "It is marked for deletion."),
      attachments: field.list(
        "Attachments",
        "Files that came with it.",
        field.object(
          {
            filename: field.text("File name", "As the sender called it."),
            mime_type: field.text("Media type", "As the sender declared it."),
            inline: field.flag("Inline", "A picture inside the HTML text."),
            blob_ref: blobRef,
          },
          ["mime_type", "inline", "blob_ref"],
        ),
      ),
      has_attachments: field.flag("Has attachments", "Files hang on it besides pictures in the text."),
      size_bytes: field.count("Size", "Bytes of the whole mail."),
    }),
    time: "sent_at",
    views: [
      { id: "headers", label: "Who, when and subject, no text", fields: HEADER_FIELDS },
      { id: "text", label: "With text, without attached files", fields: [...HEADER_FIELDS, "snippet", "body"] },
    ],
    ranges: ["size_bytes"],
    search: ["subject", "body", "from_name", "to.name", "to.address", "cc.name", "cc.address"],
    aggregations: {
      count_distinct: ["from_address", "thread_id", "list_id", "to.address"],
      group_by: [
        ...["folder", "labels", "from_name", "from_address", "to.name", "to.address", "cc.address"],
        ...["list_id", "thread_id", "unread", "has_attachments"],
      ],
      sum: ["size_bytes"],
      avg: ["size_bytes"],
      max: ["size_bytes"],
    },
  },
]);
