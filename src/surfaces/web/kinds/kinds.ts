// The views of all kinds.
import type { Kind } from "../../../contract/kinds.ts";
import { account } from "./account.ts";
import { book } from "./book.ts";
import { code } from "./code.ts";
import { command } from "./command.ts";
import { conversation } from "./conversation.ts";
import { email } from "./email.ts";
import { event } from "./event.ts";
import { file } from "./file.ts";
import type { KindFrame, KindItem } from "./item.ts";
import type { KindView, Parts } from "./kind-view.ts";
import { measurement } from "./measurement.ts";
import { message } from "./message.ts";
import { movement } from "./movement.ts";
import { note } from "./note.ts";
import { order } from "./order.ts";
import { person } from "./person.ts";
import { photo } from "./photo.ts";
import { play } from "./play.ts";
import { post } from "./post.ts";
import { task } from "./task.ts";
import { transaction } from "./transaction.ts";
import { visit } from "./visit.ts";
import { webPage } from "./web-page.ts";

export const KIND_VIEWS: Readonly<Record<Kind, KindView>> = {
  account,
  book,
  bookmark: webPage,
  code,
  command,
  conversation,
  email,
  event,
  file,
  measurement,
  message,
  note,
  order,
  page: webPage,
  person,
  photo,
  play,
  post,
  task,
  track: movement,
  transaction,
  visit,
  workout: movement,
};

/** A record without a kind shows only its title. */
export const partsOf = (item: KindItem, frame: KindFrame): Parts =>
  item.kind === undefined ? { title: item.title } : KIND_VIEWS[item.kind].parts(item, frame);
