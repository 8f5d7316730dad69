// All stories together, grouped by kind.
import { cat } from "./cat.ts";
import { family } from "./family.ts";
import { friends } from "./friends.ts";
import { household } from "./household.ts";
import { lisbon } from "./lisbon.ts";
import { move } from "./move.ts";
import { papers } from "./papers.ts";
import type { Story } from "./story.ts";
import { work } from "./work.ts";
import { wrenBox } from "./wren-box.ts";

const stories: Story[] = [move, lisbon, cat, wrenBox, work, family, friends, household, papers];

function gather<K extends keyof Story>(kind: K): NonNullable<Story[K]>[number][] {
  return stories.flatMap((story) => (story[kind] ?? []) as NonNullable<Story[K]>[number][]);
}

export const storyMail = gather("mail");
export const storyChat = gather("chat");
export const storyEvents = gather("events");
export const storyPayments = gather("payments");
export const storyNotes = gather("notes");
export const storyEntries = gather("entries");
export const storyTasks = gather("tasks");
export const storyOrders = gather("orders");
