// The data of the timeline, which is also its JSON form.
import type { TimelineCounts } from "../../../../contract/timeline-counts.ts";
import type { Attention, RunningImport } from "../overview-view.ts";
import type { HomeState } from "./state.ts";
import type { TimelineItem } from "./timeline-items.ts";

export interface HomeView {
  state: HomeState;
  /** `YYYY-MM-DD` in the owner's calendar. */
  today: string;
  /** The owner's identifiers. */
  me: readonly string[];
  attention: readonly Attention[];
  running: readonly RunningImport[];
  connections: readonly { id: string; label: string }[];
  items: readonly TimelineItem[];
  /** The cursor for the next page. */
  next?: string;
  /** This day in earlier years, latest year first. */
  earlier: readonly { year: string; items: readonly TimelineItem[] }[];
  /** Months with data, newest first. */
  months: TimelineCounts["groups"];
  /** The days of one month that have data. */
  days?: TimelineCounts["groups"];
}
