// Declares the streams of mail: messages, their fields and the queries they support.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";

const address = field.object(
  {
    name: field.text("Name", "Name as in the message; may be empty."),
    address: field.text("Address", "Email address, in lowercase."),
  },
  ["name", "address"],
);
const blobRef = field.object(
  {
    blob_id: field.text("Blob id", "Id of the stored file."),
    mime_type: field.text("Media type", "Media type of the file."),
    size_bytes: field.count("Size", "Size in bytes."),
    sha256: field.text("SHA-256", "SHA-256 digest of the file, in hexadecimal."),
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
    description: "Mail received, sent and drafted; one record for each message, however many copies there are.",
    display: { label: "Emails", detail: "Senders, recipients, subjects, full text and attached files" },
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
    schema: recordSchema("Email", {
      id: field.text("Id", "Derived from the Message-ID, or from the message itself if it has no Message-ID."),
      message_id: field.text("Message-ID", "Message-ID from the header, without brackets."),
      thread_id: field.text("Thread id", "Shared by all messages of a conversation."),
      in_reply_to: field.text("In reply to", "Message-ID of the message it replies to."),
      subject: field.text("Subject", "Subject line."),
      from_name: field.text("From", "Name of the sender, or the address."),
      from_address: field.text("From address", "Address of the sender."),
      to: field.list("To", "Recipients.", address),
      cc: field.list("Cc", "Recipients of a copy (Cc).", address),
      bcc: field.list("Bcc", "Hidden recipients; only in sent mail.", address),
      sent_at: field.instant("Sent", "When it was sent; if unknown, when it was received or filed."),
      folder: field.text("Folder", "The folder or the first label."),
      labels: field.texts("Labels", "All of its folders and labels."),
      list_id: field.text("List", "The mailing list or newsletter it came from."),
      snippet: field.text("Snippet", "Beginning of the text."),
      body: field.text("Body", "Text of the message; HTML is converted to text."),
      body_cut: field.flag("Cut", "Whether the text was cut at 500,000 characters."),
      unread: field.flag("Unread", "Whether it is unread."),
      starred: field.flag("Starred", "Whether it was flagged."),
      answered: field.flag("Answered", "Whether it was replied to."),
      draft: field.flag("Draft", "Whether it is a draft that was never sent."),
      deleted: field.flag("Deleted", "Whether it is marked for deletion."),
      attachments: field.list(
        "Attachments",
        "Files that came with it.",
        field.object(
          {
            filename: field.text("File name", "Name that the sender gave the file."),
            mime_type: field.text("Media type", "Media type that the sender declared."),
            inline: field.flag("Inline", "Whether it is a picture inside the HTML text."),
            blob_ref: blobRef,
          },
          ["mime_type", "inline", "blob_ref"],
        ),
      ),
      has_attachments: field.flag("Has attachments", "Whether it has attached files other than pictures in the text."),
      size_bytes: field.count("Size", "Size of the whole message in bytes."),
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
