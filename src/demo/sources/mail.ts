// Mail: a personal and a work account of the same source.
import type { JsonObject } from "../../contract/record.ts";
import { hasMany, hasOne, recordSchema } from "../../core/declare.ts";
import { dublin, iso, TODAY } from "../clock.ts";
import { declareSource, field } from "../declare.ts";
import { type DemoConnection, type DemoRecord, type DemoSource, lazy, stream } from "../home.ts";
import { nameOf, type PersonKey, people, WORK_ADDRESS } from "../people.ts";
import { createRandom } from "../random.ts";
import type { Mail } from "./mail-draft.ts";
import { personalMail } from "./mail-personal.ts";
import { workMail } from "./mail-work.ts";

/** Answers that would come after the demo's today do not exist yet. */
const END = dublin(`${TODAY} 20:00`);

const address = field.object({
  name: field.text("Name", "Name of the person."),
  address: field.text("Address", "E-mail address."),
});

export const mail: DemoSource = {
  connector_key: "mail",
  declaration: declareSource("mail", "Mail", [
    {
      name: "messages",
      description: "Mails received and sent.",
      display: { label: "Mails", detail: "Senders, recipients, subjects and full text" },
      schema: recordSchema("Mail", {
        id: field.text("Id", "Stable id of the mail."),
        thread_id: field.text("Thread id", "The conversation it belongs to."),
        folder: field.choice("Folder", "Where it lies.", ["inbox", "sent", "newsletters", "archive"]),
        from_name: field.text("From", "Name of the sender."),
        from_address: field.text("From address", "Address of the sender."),
        to: field.list("To", "Recipients.", address),
        cc: field.list("Cc", "Copied recipients.", address),
        subject: field.text("Subject", "Subject line."),
        body: field.text("Body", "Plain text of the mail."),
        sent_at: field.instant("Sent", "When it was sent."),
        unread: field.flag("Unread", "It has not been opened."),
        has_attachments: field.flag("Attachments", "Files hang on it."),
        size_bytes: field.count("Size", "Size of the mail in bytes."),
      }),
      time: "sent_at",
      views: [
        {
          id: "headers",
          label: "Who, when and subject, no text",
          fields: ["id", "thread_id", "folder", "from_name", "from_address", "to", "subject", "sent_at", "unread"],
        },
        { id: "full", label: "Everything" },
      ],
      related: { thread: hasOne("threads", "thread_id") },
      ranges: ["sent_at", "size_bytes"],
      search: ["subject", "body", "from_name"],
      aggregations: {
        count_distinct: ["from_address", "thread_id"],
        group_by: ["folder", "from_name", "from_address", "unread", "has_attachments"],
        group_by_time: ["sent_at"],
        sum: ["size_bytes"],
        avg: ["size_bytes"],
        min: ["sent_at", "size_bytes"],
        max: ["sent_at", "size_bytes"],
      },
    },
    {
      name: "threads",
      description: "Mails that answer each other.",
      display: { label: "Threads", detail: "Subjects and who took part" },
      schema: recordSchema("Mail thread", {
        id: field.text("Id", "Stable id of the thread."),
        subject: field.text("Subject", "Subject of the first mail."),
        participants: field.texts("Participants", "Names of all who wrote."),
        message_count: field.count("Mails", "How many mails it holds."),
        started_at: field.instant("Started", "When the first mail was sent."),
        last_message_at: field.instant("Last mail", "When the last mail was sent."),
      }),
      time: "last_message_at",
      related: { messages: hasMany("messages", "thread_id") },
      ranges: ["started_at", "last_message_at", "message_count"],
      // No search: every subject is found once, on its mail.
      aggregations: {
        group_by_time: ["started_at", "last_message_at"],
        avg: ["message_count"],
        max: ["message_count"],
      },
    },
  ]),
};

export function mailConnections(): DemoConnection[] {
  return [
    connection("mail-personal", "Personal mail", people.nora.email, personalMail),
    connection("mail-work", "Work mail", WORK_ADDRESS, workMail),
  ];
}

function connection(key: string, displayName: string, own: string, make: () => Mail[]): DemoConnection {
  const mails = lazy(() =>
    make()
      .filter((each) => each.at < END)
      .sort((a, b) => a.at - b.at),
  );
  return {
    ...mail,
    key,
    display_name: displayName,
    streams: [stream("threads", () => threadLines(mails())), stream("messages", () => messageLines(key, mails(), own))],
  };
}

function messageLines(key: string, mails: Mail[], own: string): DemoRecord[] {
  const random = createRandom(`${key} flags`);
  const recipient = (person: PersonKey) => ({
    name: nameOf(person),
    address: person === "nora" ? own : people[person].email,
  });
  return mails.map((each) => {
    const recent = iso(each.at) >= "2026-06-20";
    const data: JsonObject = {
      id: each.id,
      thread_id: each.thread,
      folder: each.folder,
      from_name: nameOf(each.from),
      from_address: recipient(each.from).address,
      to: each.to.map(recipient),
      cc: each.cc.map(recipient),
      subject: each.subject,
      body: each.body,
      sent_at: iso(each.at),
      unread: each.folder === "newsletters" ? random.chance(0.5) : recent && random.chance(0.4),
      has_attachments: each.attachments,
      size_bytes: Buffer.byteLength(each.body) + 900 + (each.attachments ? random.int(40_000, 900_000) : 0),
    };
    return { id: each.id, at: each.at, data };
  });
}

function threadLines(mails: Mail[]): DemoRecord[] {
  const threads = new Map<string, Mail[]>();
  for (const each of mails) {
    const thread = threads.get(each.thread);
    if (thread) thread.push(each);
    else threads.set(each.thread, [each]);
  }
  return [...threads].map(([id, own]) => {
    const last = own.at(-1)!.at;
    const data: JsonObject = {
      id,
      subject: own[0]!.subject.replace(/^Re: /, ""),
      participants: [...new Set(own.map((each) => nameOf(each.from)))],
      message_count: own.length,
      started_at: iso(own[0]!.at),
      last_message_at: iso(last),
    };
    return { id, at: last, data };
  });
}
