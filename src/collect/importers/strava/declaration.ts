// The declaration of a Strava export.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";
import { trackFields, WAY_ROLES } from "../track.ts";

export const stravaDeclaration = declareSource("strava", "Strava", [
  {
    name: "activities",
    description: "Activities with their sums, and the way where the export has its file.",
    display: { label: "Activities", detail: "What you did, when, how far, and along which way" },
    kind: "workout",
    roles: {
      ...WAY_ROLES,
      title: "name",
      text: "description",
      activity: "activity",
      duration: "duration_minutes",
      energy: "energy_kcal",
    },
    schema: recordSchema("Activity", {
      id: field.text("Id", "Strava's own number of the activity."),
      name: field.text("Name", "What you called it."),
      activity: field.text("Activity", "Run, Ride, Swim …"),
      description: field.text("Description", "What you wrote about it."),
      private_note: field.text("Private note", "What only you see at Strava."),
      duration_minutes: field.number("Moving time", "Minutes, without pauses."),
      elapsed_minutes: field.number("Elapsed time", "Minutes, with pauses."),
      energy_kcal: field.number("Energy", "Burned, in kcal."),
      heart_rate_average: field.number("Average heart rate", "Beats per minute."),
      heart_rate_maximum: field.number("Highest heart rate", "Beats per minute."),
      ascent_m: field.number("Ascent", "Metres up, all together."),
      power_average_w: field.number("Average power", "Watts."),
      gear: field.text("Gear", "Bike or shoes."),
      is_commute: field.flag("Commute", "Whether it was marked as the way to work."),
      ...trackFields,
      other_columns: field.list(
        "Other columns",
        "Columns of the export that have no field here.",
        field.object({
          heading: field.text("Heading", "As the export has it."),
          value: field.text("Value", "As the export has it."),
        }),
      ),
    }),
    time: "start",
    views: [
      {
        id: "sums",
        label: "Sums only, no positions and notes",
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
