// Apple Health: records, workouts and correlations calculated by hand, the document type, and damaged and hostile
// files.
import { expect, it } from "vitest";
import { parseDeclaration } from "../../../core/declaration-check.ts";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { healthDeclaration } from "./declaration.ts";
import { healthImporter } from "./importer.ts";

/** The document type as Apple writes it, including quotes and stray brackets. */
const DOCTYPE = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 11 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
<!-- Note: Any Records that appear as children of a correlation also appear as top-level records in this document. -->
  startDate CDATA #REQUIRED' >
]>
`;
const at =
  'creationDate="2024-05-31 09:00:00 +0200" startDate="2024-05-31 08:00:00 +0200" endDate="2024-05-31 08:01:00 +0200"';
const systolic = `<Record type="HKQuantityTypeIdentifierBloodPressureSystolic" sourceName="Cuff" unit="mmHg" ${at} value="121"/>`;
const heart = (address: string) =>
  `<Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Nora’s Watch" device="&lt;&lt;HKDevice: ${address}&gt;, name:Watch&gt;" unit="count/min" ${at} value="72.5"><MetadataEntry key="Context" value="0"/></Record>`;
const xml = (...inner: string[]) =>
  `${DOCTYPE}<HealthData locale="en_IE">\n <ExportDate value="2024-06-01 10:00:00 +0200"/>\n <Me HKCharacteristicTypeIdentifierDateOfBirth="1990-02-02" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale" HKCharacteristicTypeIdentifierBloodType="HKBloodTypeNotSet"/>\n ${inner.join("\n ")}\n</HealthData>\n`;
const ALL = xml(
  heart("0x1"),
  `<Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" ${at} value="HKCategoryValueSleepAnalysisAsleepREM"/>`,
  systolic,
  `<Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff" ${at}>${systolic}</Correlation>`,
  `<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="1800" durationUnit="s" sourceName="Watch" ${at}><WorkoutEvent type="HKWorkoutEventTypeLap" date="2024-05-31 08:00:10 +0200"/><WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" sum="5.2" unit="km"/><WorkoutRoute sourceName="x" ${at}><Location/><Location/><FileReference path="/workout-routes/a.gpx"/></WorkoutRoute></Workout>`,
  '<ActivitySummary dateComponents="2024-05-31" activeEnergyBurned="400.5" appleExerciseTime="30"/>',
  '<ClinicalRecord type="x"/>',
  `<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" startDate="soon" value="1"/>`,
);

it("P-05 imports measurements, workouts, correlations, days, and the person they belong to", async () => {
  const events = await collect(healthImporter, [memoryEntry("export.xml", ALL)]);
  const data = (stream: string) => recordsOf(events, stream).map((record) => record.data);
  expect(data("records")).toMatchObject([
    {
      type: "HeartRate",
      kind: "quantity",
      value: 72.5,
      unit: "count/min",
      start: "2024-05-31T08:00:00+02:00",
      source: "Nora’s Watch",
      device: "name:Watch",
      metadata: [{ key: "Context", value: "0" }],
    },
    { type: "SleepAnalysis", kind: "category", value_text: "SleepAnalysisAsleepREM" },
    { type: "BloodPressureSystolic", value: 121 },
  ]);
  expect(data("correlations")).toMatchObject([{ type: "BloodPressure", records: [data("records")[2]!.id] }]);
  expect(data("workouts")).toMatchObject([
    {
      activity: "Running",
      duration_minutes: 30,
      distance: 5.2,
      distance_unit: "km",
      route_file: "/workout-routes/a.gpx",
      events: [{ type: "Lap", at: "2024-05-31T08:00:10+02:00" }],
    },
  ]);
  expect(data("activity_days")).toMatchObject([{ day: "2024-05-31", energy: 400.5, exercise_minutes: 30 }]);
  expect(data("profile")).toEqual([{ id: "me", birth_date: "1990-02-02", sex: "Female" }]);
  expect(events.flatMap((event) => (event.kind === "skip" ? [[event.reason, event.count ?? 1]] : []))).toEqual([
    ["points or beats inside a Workout are not imported", 2],
    ["ClinicalRecord: this kind is not imported", 1],
  ]);
  expect(events.flatMap((event) => (event.kind === "error" ? [event.message] : []))).toEqual([
    'Record starts at "soon", which is not a time',
  ]);
});

it("P-05 unchanged items keep their keys in a newer export, despite changed object addresses and time zones", async () => {
  const keys = async (text: string) =>
    recordsOf(await collect(healthImporter, [memoryEntry("e.xml", text)]), "records").map(({ key }) => key);
  const other = heart("0x99")
    .replaceAll("08:00:00 +0200", "07:00:00 +0100")
    .replaceAll("08:01:00 +0200", "07:01:00 +0100");
  expect(await keys(xml(other))).toEqual(await keys(xml(heart("0x1"))));
});

it("SECURITY row 16: entities are refused and never expanded", async () => {
  const bomb = ALL.replace("<!ELEMENT", '<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ELEMENT').replace("Cuff", "&b;");
  const events = await collect(healthImporter, [memoryEntry("export.xml", bomb)]);
  expect(events).toMatchObject([
    { kind: "error", message: expect.stringContaining("refused") },
    { kind: "checkpoint" },
  ]);
});

it("SECURITY row 16: characters that XML forbids are ignored; an unknown entity causes one error", async () => {
  const events = await collect(healthImporter, [
    memoryEntry("export.xml", ALL.replace("Nora", "No\u000bra").replace("Context", "&what;")),
  ]);
  expect(recordsOf(events, "records")).toHaveLength(3);
  expect(events.filter(({ kind }) => kind === "error")).toHaveLength(2);
});

it("P-05 an export is recognised by its root element, with or without the document type", () => {
  expect(recognised(healthImporter, "apple_health_export/Export.xml", ALL)?.score).toBe(98);
  expect(recognised(healthImporter, "a.xml", '<HealthData locale="en">')?.score).toBe(98);
  expect(recognised(healthImporter, "a.xml", "<other/>")).toBeUndefined();
});

it("P-05 produces the same records in every run, resumes from every checkpoint, and matches its declaration", async () => {
  parseDeclaration(healthDeclaration);
  const many = Array.from({ length: 2200 }, (_, n) => systolic.replace('"121"', `"${n}"`));
  const entries = [memoryEntry("a/export.xml", xml(...many)), memoryEntry("b/export.xml", ALL)];
  await repeatsAndResumes(healthImporter, entries);
  expect(await refusals(healthImporter, entries)).toEqual([]);
});

it("SECURITY row 16: truncated and damaged exports never crash the parser", async () => {
  await hostile(healthImporter, "export.xml", Buffer.from(ALL));
});
