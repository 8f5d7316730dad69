// Tracks and workouts: activity, distance and duration.
import { html } from "hono/html";
import { inWords } from "../dashboard/explore/stream-fields.ts";
import { facts } from "./facts.ts";
import { fieldOf, type KindItem, numberOf, textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { durationBetween, quantity } from "./quantities.ts";
import { distanceOf, durationOf, unitOf } from "./units.ts";

export const movement: KindView = {
  parts(item) {
    const text = [distanceOf(item), energyOf(item)].filter(Boolean).join(" · ");
    const duration = lengthOf(item);
    return {
      title: activityOf(item),
      ...(text === "" ? {} : { text }),
      ...(duration === undefined ? {} : { aside: html`${duration}` }),
    };
  },
  page: (item, { times }) =>
    html`${facts([
      ["Activity", activityWords(textOf(item, "activity"))],
      ["When", item.when === undefined ? undefined : times.when(item.when)],
      ["Duration", lengthOf(item)],
      ["Distance", distanceOf(item)],
      ["Energy", energyOf(item)],
    ])}`,
};

function activityOf(item: KindItem): string {
  const own = activityWords(textOf(item, "title") ?? textOf(item, "activity"));
  return own ?? (item.kind === "track" ? "On the way" : "Workout");
}

/** Turns `HKWorkoutActivityTypeRunning`, `IN_PASSENGER_VEHICLE` or `running` into readable words. */
function activityWords(own: string | undefined): string | undefined {
  if (own === undefined) return undefined;
  const bare = own.replace(/^HKWorkoutActivityType/, "").replace(/([a-z])([A-Z])/g, "$1 $2");
  return inWords(/^[A-Z_]+$/.test(bare) ? bare.toLowerCase() : bare);
}

const lengthOf = (item: KindItem): string | undefined =>
  durationOf(item) ?? durationBetween(item.when?.at, textOf(item, "end"));

function energyOf(item: KindItem): string | undefined {
  const [value, field] = [numberOf(item, "energy"), fieldOf(item, "energy")];
  return value === undefined || field === undefined
    ? undefined
    : quantity(Math.round(value), unitOf(item, field) ?? "kcal");
}
