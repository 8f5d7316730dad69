// What the health source says of itself.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";

const metadata = field.list(
  "Metadata",
  "What the source added, as it wrote it.",
  field.object({ key: field.text("Key", "Name."), value: field.text("Value", "Value.") }),
);
const span = {
  start: field.instant("Start", "When it began."),
  end: field.instant("End", "When it ended."),
  created: field.instant("Created", "When it was written down."),
  source: field.text("Source", "App or device that wrote it."),
  source_version: field.text("Source version", "Of that app or device."),
  device: field.text("Device", "As it describes itself."),
  metadata,
};
const id = field.text("Id", "Digest of everything that an export repeats unchanged.");

export const healthDeclaration = declareSource("health", "Apple Health", [
  {
    name: "records",
    description: "Measurements: heart rate, steps, weight, sleep and all else that was recorded.",
    display: { label: "Measurements", detail: "Body measurements, activity, sleep and symptoms, minute by minute" },
    semantics: "append_only",
    schema: recordSchema("Health record", {
      id,
      type: field.text("Type", "What was measured: HeartRate, StepCount, BodyMass, SleepAnalysis …"),
      kind: field.choice("Kind", "A quantity with a unit, or a category.", ["quantity", "category", "other"]),
      value: field.number("Value", "Of a quantity."),
      value_text: field.text("Value, exact", "As written; of a category its name."),
      unit: field.text("Unit", "Of the value."),
      ...span,
    }),
    time: "start",
    views: [
      {
        id: "values",
        label: "Values and times, no devices",
        fields: ["id", "type", "value", "value_text", "unit", "start", "end"],
      },
    ],
    ranges: ["start", "end", "value"],
    search: ["type", "source"],
    aggregations: {
      count_distinct: ["type", "source"],
      group_by: ["type", "kind", "value_text", "unit", "source"],
      group_by_time: ["start"],
      sum: ["value"],
      avg: ["value"],
      min: ["value", "start"],
      max: ["value", "start"],
    },
  },
  {
    name: "workouts",
    description: "Trainings with their sums.",
    display: { label: "Workouts", detail: "What was trained, when, how far and how long" },
    semantics: "append_only",
    schema: recordSchema("Workout", {
      id,
      activity: field.text("Activity", "Running, Cycling, Swimming …"),
      duration_minutes: field.number("Duration", "In minutes."),
      distance: field.number("Distance", "In its unit."),
      distance_unit: field.text("Unit of distance", "km, mi …"),
      energy: field.number("Energy", "Burned."),
      energy_unit: field.text("Unit of energy", "kcal, kJ …"),
      statistics: field.list(
        "Statistics",
        "Sums and averages by type.",
        field.object({
          type: field.text("Type", "What was measured."),
          sum: field.number("Sum", "Over the workout."),
          average: field.number("Average", "Over the workout."),
          minimum: field.number("Minimum", "Over the workout."),
          maximum: field.number("Maximum", "Over the workout."),
          unit: field.text("Unit", "Of the numbers."),
        }),
      ),
      events: field.list(
        "Events",
        "Pauses, laps, segments.",
        field.object({
          type: field.text("Type", "Of the event."),
          at: field.instant("At", "When."),
          duration: field.number("Duration", "In minutes."),
        }),
      ),
      route_file: field.text("Route", "File of the export that has the way."),
      ...span,
    }),
    time: "start",
    views: [
      {
        id: "sums",
        label: "Sums only",
        fields: ["id", "activity", "start", "duration_minutes", "distance", "distance_unit", "energy", "energy_unit"],
      },
    ],
    ranges: ["start", "end", "duration_minutes", "distance", "energy"],
    search: ["activity", "source"],
    aggregations: {
      group_by: ["activity", "source"],
      group_by_time: ["start"],
      sum: ["duration_minutes", "distance", "energy"],
      avg: ["duration_minutes", "distance", "energy"],
      max: ["duration_minutes", "distance", "energy", "start"],
      min: ["start"],
    },
  },
  {
    name: "correlations",
    description: "Measurements that belong together: blood pressure, a meal.",
    display: { label: "Combined measurements", detail: "Which measurements were taken together" },
    semantics: "append_only",
    schema: recordSchema("Correlation", {
      id,
      type: field.text("Type", "BloodPressure, Food."),
      records: field.texts("Records", "Ids in `records`."),
      ...span,
    }),
    time: "start",
    ranges: ["start", "end"],
    aggregations: { group_by: ["type", "source"], group_by_time: ["start"] },
  },
  {
    name: "activity_days",
    description: "The rings of each day.",
    display: { label: "Activity by day", detail: "Energy, exercise and standing of each day" },
    schema: recordSchema("Day of activity", {
      id: field.text("Id", "Made from the day."),
      day: field.date("Day", "Which day."),
      energy: field.number("Energy", "Burned by moving."),
      energy_goal: field.number("Goal of energy", "For that day."),
      energy_unit: field.text("Unit of energy", "kcal, kJ …"),
      move_minutes: field.number("Minutes moved", "For those who count minutes."),
      exercise_minutes: field.number("Minutes of exercise", "On that day."),
      exercise_goal: field.number("Goal of exercise", "Minutes."),
      stand_hours: field.number("Hours stood", "On that day."),
      stand_goal: field.number("Goal of standing", "Hours."),
    }),
    time: "day",
    ranges: ["day", "energy", "exercise_minutes", "stand_hours"],
    aggregations: {
      group_by_time: ["day"],
      sum: ["energy", "exercise_minutes", "stand_hours"],
      avg: ["energy", "exercise_minutes", "stand_hours"],
      max: ["energy", "exercise_minutes", "day"],
      min: ["day"],
    },
  },
  {
    name: "profile",
    description: "Who it is about, as entered in the Health app.",
    display: { label: "About me", detail: "Date of birth, sex, blood type" },
    schema: recordSchema("Health profile", {
      id: field.text("Id", "Always me."),
      birth_date: field.date("Born", "Date of birth."),
      sex: field.text("Sex", "As entered."),
      blood_type: field.text("Blood type", "As entered."),
      skin_type: field.text("Skin type", "Fitzpatrick scale."),
    }),
  },
]);
