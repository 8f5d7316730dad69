// The nouns for one record and several records of a kind, for counts on pages.
import type { Kind } from "../contract/kinds.ts";

export const KIND_NOUNS: Readonly<Record<Kind, { one: string; many: string }>> = {
  account: { one: "account", many: "accounts" },
  book: { one: "book", many: "books" },
  bookmark: { one: "bookmark", many: "bookmarks" },
  code: { one: "code item", many: "code items" },
  command: { one: "command", many: "commands" },
  conversation: { one: "conversation", many: "conversations" },
  email: { one: "mail", many: "mails" },
  event: { one: "event", many: "events" },
  file: { one: "file", many: "files" },
  measurement: { one: "measurement", many: "measurements" },
  message: { one: "message", many: "messages" },
  note: { one: "note", many: "notes" },
  order: { one: "order", many: "orders" },
  page: { one: "web page", many: "web pages" },
  person: { one: "contact", many: "contacts" },
  photo: { one: "photo", many: "photos" },
  play: { one: "play", many: "plays" },
  post: { one: "post", many: "posts" },
  task: { one: "task", many: "tasks" },
  track: { one: "track", many: "tracks" },
  transaction: { one: "payment", many: "payments" },
  visit: { one: "visit", many: "visits" },
  workout: { one: "workout", many: "workouts" },
};
