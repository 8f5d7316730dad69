// The parts of every kind's view: those of a row or card, and the top of a record's own page.
import type { Html } from "../layout.ts";
import type { KindFrame, KindItem } from "./item.ts";

/**
 * A record in a list, on the timeline or among results. The parts are the same, and are arranged to fit the available
 * space.
 */
export interface Parts {
  /** Sender, artist or author, shown before the title. */
  who?: string;
  title: string;
  /** First words or facts, on one line after or below the title. */
  text?: string;
  /** The main value at the end of the line, such as an amount, a duration or times. */
  aside?: Html;
  picture?: string;
  /** Shown struck through: done or cancelled. */
  isOver?: boolean;
  /** Shown highlighted: unread. */
  isNew?: boolean;
  /** Written for programs, so it is shown in a monospaced font. */
  isCode?: boolean;
}

/** The context of a record's own page, which shows more than a row. */
export interface KindPageFrame extends KindFrame {
  /** The emails in the record's thread, or the messages around it, including the record itself. */
  around: readonly KindItem[];
  /** Links to the continuation of texts that are too long for the page. */
  readOn: Readonly<Record<string, string>>;
}

export interface KindView {
  parts(item: KindItem, frame: KindFrame): Parts;
  page(item: KindItem, frame: KindPageFrame): Html;
}
