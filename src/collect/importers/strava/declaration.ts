// Declares the stream of a Strava export.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";
import { TRACK_ROLES, trackFields } from "../track.ts";

export const stravaDeclaration = declareSource("strava", "Strava", [
  {
    name: "activities",
    description: "Activities with their totals, and the route if its file is in the export.",
    display: { label: "Activities", detail: "What you did, when, how far and by which route" },
    kind: "workout",
    roles: {
      ...TRACK_ROLES,
      title: "name",
      text: "description",
      activity: "activity",
      duration: "duration_minutes",
      energy: "energy_kcal",
    },
    schema: recordSchema("Activity", {
      id: field.text("Id", "Id of the activity on Strava."),
      name: field.text("Name", "Name that you gave it."),
      activity: field.text("Activity", "Run, Ride, Swim …"),
      description: field.text("Description", "What you wrote about it."),
      private_note: field.text("Private note", "Note that only you can see on Strava."),
      duration_minutes: field.number("Moving time", "Minutes without pauses."),
      elapsed_minutes: field.number("Elapsed time", "Minutes including pauses."),
      energy_kcal: field.number("Energy", "Energy burned in kcal."),
      heart_rate_average: field.number("Average heart rate", "Beats per minute."),
      heart_rate_maximum: field.number("Highest heart rate", "Beats per minute."),
      ascent_m: field.number("Ascent", "Total ascent in metres."),
      power_average_w: field.number("Average power", "Watts."),
      gear: field.text("Gear", "Bike or shoes."),
      is_commute: field.flag("Commute", "Whether it was marked as a commute."),
      ...trackFields,
      other_columns: field.list(
        "Other columns",
        "Columns of the export that no other field covers.",
        field.object({
          heading: field.text("Heading", "Heading of the column, as in the export."),
          value: field.text("Value", "Value of the cell, as in the export."),
        }),
      ),
    }),
    time: "start",
    views: [
      {
        id: "sums",
        label: "Totals only, without positions or notes",
        fields: ["id", "activity", "start", "duration_minutes", "distance_m", "energy_kcal"],
      },
    ],
    ranges: ["end", "distance_m", "duration_minutes", "ascent_m"],
    search: ["name", "description", "private_note", "activity", "gear"],
    aggregations: {
      group_by: ["activity", "gear", "is_commute"],
      sum: ["distance_m", "duration_minutes", "energy_kcal", "ascent_m"],
      avg: ["distance_m", "duration_minutes", "heart_rate_average", "power_average_w"],
      max: ["distance_m", "duration_minutes"],
    },
  },
]);
