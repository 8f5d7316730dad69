// Mail: a personal and a work account of the same source.
import type { JsonObject } from "../../contract/record.ts";
import { dublin, iso, TODAY } from "../clock.ts";
import {
  choice,
  count,
  declareSource,
  flag,
  instant,
  list,
  object,
  ranges,
  schema,
  selectable,
  text,
} from "../declare.ts";
import { type DemoConnection, type DemoSource, type Line, lazy, stream } from "../home.ts";
import { nameOf, type PersonKey, people, WORK_ADDRESS } from "../people.ts";
import { createRandom } from "../random.ts";
import type { Mail } from "./mail-draft.ts";
import { personalMail } from "./mail-personal.ts";
import { workMail } from "./mail-work.ts";

/** Answers that would come after the demo's today do not exist yet. */
const END = dublin(`${TODAY} 20:00`);

const address = object({ name: text("Name", "Name of the person."), address: text("Address", "E-mail address.") });

export const mail: DemoSource = {
  connector_key: "mail",
  declaration: declareSource("mail", "Mail", [
    {
      name: "messages",
      description: "Mails received and sent.",
      display: { label: "Mails", detail: "Senders, recipients, subjects and full text" },
      semantics: "mutable_state",
      schema: schema("Mail", {
        id: text("Id", "Stable id of the mail."),
        thread_id: text("Thread id", "The conversation it belongs to."),
        folder: choice("Folder", "Where it lies.", ["inbox", "sent", "newsletters", "archive"]),
        from_name: text("From", "Name of the sender."),
        from_address: text("From address", "Address of the sender."),
        to: list("To", "Recipients.", address),
        cc: list("Cc", "Copied recipients.", address),
        subject: text("Subject", "Subject line."),
        body: text("Body", "Plain text of the mail."),
        sent_at: instant("Sent", "When it was sent."),
        unread: flag("Unread", "It has not been opened."),
        has_attachments: flag("Attachments", "Files hang on it."),
        size_bytes: count("Size", "Size of the mail in bytes."),
      }),
      primary_key: ["id"],
      cursor_field: "sent_at",
      consent_time_field: "sent_at",
      selection: selectable,
      views: [
        {
          id: "headers",
          label: "Who, when and subject, no text",
          fields: ["id", "thread_id", "folder", "from_name", "from_address", "to", "subject", "sent_at", "unread"],
        },
        {
          id: "full",
          label: "Everything",
          fields: [
            "id",
            "thread_id",
            "folder",
            "from_name",
            "from_address",
            "to",
            "cc",
            "subject",
            "body",
            "sent_at",
            "unread",
            "has_attachments",
            "size_bytes",
          ],
        },
      ],
      relationships: [{ name: "thread", stream: "threads", foreign_key: "thread_id", cardinality: "has_one" }],
      query: {
        range_filters: ranges("sent_at", "size_bytes"),
        expand: [{ name: "thread" }],
        search: { lexical_fields: ["subject", "body", "from_name"] },
        aggregations: {
          count: true,
          count_distinct: ["from_address", "thread_id"],
          group_by: ["folder", "from_name", "from_address", "unread", "has_attachments"],
          group_by_time: ["sent_at"],
          sum: ["size_bytes"],
          avg: ["size_bytes"],
          min: ["sent_at", "size_bytes"],
          max: ["sent_at", "size_bytes"],
        },
      },
    },
    {
      name: "threads",
      description: "Mails that answer each other.",
      display: { label: "Threads", detail: "Subjects and who took part" },
      semantics: "mutable_state",
      schema: schema("Mail thread", {
        id: text("Id", "Stable id of the thread."),
        subject: text("Subject", "Subject of the first mail."),
        participants: list("Participants", "Names of all who wrote.", { type: "string" }),
        message_count: count("Mails", "How many mails it holds."),
        started_at: instant("Started", "When the first mail was sent."),
        last_message_at: instant("Last mail", "When the last mail was sent."),
      }),
      primary_key: ["id"],
      cursor_field: "last_message_at",
      consent_time_field: "last_message_at",
      selection: selectable,
      relationships: [{ name: "messages", stream: "messages", foreign_key: "thread_id", cardinality: "has_many" }],
      query: {
        range_filters: ranges("started_at", "last_message_at", "message_count"),
        expand: [{ name: "messages", default_limit: 10, max_limit: 50 }],
        // No search: every subject is found once, on its mail.
        aggregations: {
          count: true,
          group_by_time: ["started_at", "last_message_at"],
          avg: ["message_count"],
          max: ["message_count"],
        },
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

function messageLines(key: string, mails: Mail[], own: string): Line[] {
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

function threadLines(mails: Mail[]): Line[] {
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
