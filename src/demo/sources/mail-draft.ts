// Drafts of messages, from which records are made, and the messages in the stories.
import { dublin } from "../clock.ts";
import type { PersonKey } from "../people.ts";
import { storyMail } from "../story/index.ts";

export interface Mail {
  id: string;
  thread: string;
  folder: "inbox" | "sent" | "newsletters" | "archive";
  from: PersonKey;
  to: PersonKey[];
  cc: PersonKey[];
  subject: string;
  body: string;
  at: number;
  attachments: boolean;
}

export function draft(mail: Pick<Mail, "id" | "thread" | "from" | "subject" | "body" | "at"> & Partial<Mail>): Mail {
  return {
    folder: mail.from === "nora" ? "sent" : "inbox",
    to: ["nora"],
    cc: [],
    attachments: false,
    ...mail,
  };
}

export function storiesOf(account: "personal" | "work"): Mail[] {
  return storyMail
    .filter((mail) => mail.account === account)
    .map(({ account: _account, at, thread, ...mail }) => draft({ ...mail, thread: thread ?? mail.id, at: dublin(at) }));
}
