// /dashboard: the owner's records as a timeline. It shows a search box, today, this day in earlier years, and then the
// records day by day, or only those of one month or year.
import { ownerPage, type Visit } from "../../owner-page.ts";
import { dayAt } from "../explore/local-days.ts";
import { ownNames } from "../explore/stream-kind.ts";
import { noticesOf } from "../overview.ts";
import type { HomeView } from "./home-data.ts";
import { showHome } from "./home-view.ts";
import { daysOf, HOME, type HomeState, homeState, isFiltered, sameDays } from "./state.ts";
import { type TimelineItem, timelineItems } from "./timeline-items.ts";

const PAGE = 80;
/** The number of earlier years, and of records read and shown for each. */
const EARLIER = { years: 12, read: 24, shown: 4 };

export const homePage = ownerPage<HomeView>({
  path: HOME,
  under: "home",
  async load(visit) {
    const { look, search, zone, now } = visit;
    const state = homeState(search);
    const today = dayAt(now, zone);
    const isPlain = state.at === undefined && state.cursor === undefined && !isFiltered(state);
    const selection = selectionOf(state, zone);
    const [page, counts, me, connections, notices] = await Promise.all([
      look("timeline", {
        ...selection,
        ...(state.person === undefined ? {} : { with: state.person }),
        ...(state.at === undefined ? { until: today } : daysOf(state.at)),
        limit: PAGE,
        ...(state.cursor === undefined ? {} : { cursor: state.cursor }),
      }),
      look("timelineCounts", {
        ...selection,
        ...(state.person === undefined ? {} : { with: state.person }),
        granularity: "month",
      }),
      ownNames({ look }),
      look("connections", {}),
      isPlain ? noticesOf(visit) : { attention: [], running: [] },
    ]);
    const years = [...new Set(counts.groups.map(({ key }) => key.slice(0, 4)))];
    return {
      state,
      today,
      me,
      ...notices,
      connections: connections.data.map(({ connection_id, display_name }) => ({
        id: connection_id,
        label: display_name,
      })),
      items: await timelineItems({ look }, page.data),
      ...(page.next_cursor === undefined ? {} : { next: page.next_cursor }),
      earlier: isPlain ? await earlierYears(visit, today, years) : [],
      months: counts.groups,
      ...(state.at?.length === 7 ? { days: await daysIn(visit, state, state.at) } : {}),
    };
  },
  show: showHome,
});

const selectionOf = ({ kinds, connection }: HomeState, zone: string) => ({
  time_zone: zone,
  ...(kinds.length === 0 ? {} : { kinds }),
  ...(connection === undefined ? {} : { connection_id: connection }),
});

/** Returns the days of a month that have data. */
async function daysIn({ look, zone }: Visit, state: HomeState, month: string): Promise<HomeView["months"]> {
  const counts = await look("timelineCounts", { ...selectionOf(state, zone), ...daysOf(month), granularity: "day" });
  return counts.groups;
}

async function earlierYears(
  { look, zone }: Visit,
  today: string,
  years: readonly string[],
): Promise<HomeView["earlier"]> {
  const found = await Promise.all(
    sameDays(today, years)
      .slice(0, EARLIER.years)
      .map(async (day) => {
        const query = { since: day, until: day, time_zone: zone, limit: EARLIER.read };
        const items = await timelineItems({ look }, (await look("timeline", query)).data);
        return { year: day.slice(0, 4), items: mixed(items) };
      }),
  );
  return found.filter(({ items }) => items.length > 0);
}

/**
 * Picks one item of each kind before a second one, because a day is more than its chats. Records without a kind say too
 * little here.
 */
function mixed(items: readonly TimelineItem[]): TimelineItem[] {
  const known = items.filter(({ kind }) => kind !== undefined);
  const first = [...new Map([...known].reverse().map((item) => [item.kind, item])).values()].reverse();
  return [...first, ...known.filter((item) => !first.includes(item))].slice(0, EARLIER.shown);
}
