// The parts of every kind's view: those of a row or a card, and the top of a record's own page.
import type { Html } from "../layout.ts";
import type { KindFrame, KindItem } from "./item.ts";

/** A record in a list, on the timeline and among results: the same parts, arranged by the available space. */
export interface Parts {
  /** Sender, artist, author: before the title. */
  who?: string;
  title: string;
  /** First words or facts, on one line after or below the title. */
  text?: string;
  /** The main value at the end of the line: an amount, a duration, times. */
  aside?: Html;
  picture?: string;
  /** Struck through: done, cancelled. */
  isOver?: boolean;
  /** Highlighted: unread. */
  isNew?: boolean;
  /** Written by a program for programs: shown in a monospaced font. */
  isCode?: boolean;
}

/** A record's page has more: its context, and its files. */
export interface KindPageFrame extends KindFrame {
  /** The mails of its thread, the messages around it; including itself. */
  around: readonly KindItem[];
  /** Where a text continues that is too long for the page. */
  readOn: Readonly<Record<string, string>>;
}

export interface KindView {
  parts(item: KindItem, frame: KindFrame): Parts;
  page(item: KindItem, frame: KindPageFrame): Html;
}
