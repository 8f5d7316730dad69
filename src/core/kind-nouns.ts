// The noun for one record of each kind, for counts on pages. Every plural ends in "s".
import type { Kind } from "../contract/kinds.ts";

export const KIND_NOUNS: Readonly<Record<Kind, string>> = {
  account: "account",
  book: "book",
  bookmark: "bookmark",
  code: "code item",
  command: "command",
  conversation: "conversation",
  email: "email",
  event: "event",
  file: "file",
  measurement: "measurement",
  message: "message",
  note: "note",
  order: "order",
  page: "web page",
  person: "contact",
  photo: "photo",
  play: "play",
  post: "post",
  task: "task",
  track: "track",
  transaction: "payment",
  visit: "visit",
  workout: "workout",
};
