// The data of the timeline, which is also its JSON form.
import type { TimelineCounts } from "../../../../contract/timeline-counts.ts";
import type { Attention, RunningImport } from "../overview-view.ts";
import type { HomeState } from "./state.ts";
import type { TimelineItem } from "./timeline-items.ts";

export interface HomeView {
  state: HomeState;
  /** `YYYY-MM-DD` in the owner's calendar. */
  today: string;
  /** Identifiers of the owner. */
  me: readonly string[];
  attention: readonly Attention[];
  running: readonly RunningImport[];
  connections: readonly { id: string; label: string }[];
  items: readonly TimelineItem[];
  /** The cursor of the next page. */
  next?: string;
  /** This day in earlier years, the latest year first. */
  earlier: readonly { year: string; items: readonly TimelineItem[] }[];
  /** Months with data, newest first. */
  months: TimelineCounts["groups"];
  /** The same for the days of one month. */
  days?: TimelineCounts["groups"];
}
