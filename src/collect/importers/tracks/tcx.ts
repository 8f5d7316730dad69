// TCX: workouts of Garmin and many apps, and courses to follow.
import type { Entry } from "../../entry.ts";
import { numberOf, POINTS_MAX, positionOf, rounded, type TrackPoint } from "../track.ts";
import { activityOf, type TrackItem, timeOf, wordsOf } from "./item.ts";
import { xmlItems } from "./xml.ts";

interface OpenActivity {
  sport: string | undefined;
  start?: number | undefined;
  name?: string | undefined;
  notes?: string | undefined;
  device?: string | undefined;
  laps: number;
  seconds: number;
  metres: number;
  kcal: number;
  beats: number;
  heartRate: number;
  heartRatePoints: number;
  segments: TrackPoint[][];
  count: number;
  part: number;
}

const begun = (sport: string | undefined): OpenActivity => ({
  sport: activityOf(sport),
  laps: 0,
  seconds: 0,
  metres: 0,
  kcal: 0,
  beats: 0,
  heartRate: 0,
  heartRatePoints: 0,
  segments: [],
  count: 0,
  part: 0,
});

export const tcxItems = (entry: Entry): AsyncGenerator<TrackItem> =>
  xmlItems(entry, (emit, offset) => {
    let activity: OpenActivity | undefined;
    let point: TrackPoint | undefined;
    let [latitude, longitude]: (number | undefined)[] = [];

    /** A workout that is too long for one record becomes several tracks in addition to the workout. */
    function end(own: OpenActivity, isCourse: boolean): void {
      const segments = own.segments.filter((segment) => segment.length > 0);
      const start = own.start === undefined ? undefined : new Date(own.start).toISOString();
      const isWorkout = !isCourse && own.part === 0;
      const sums = {
        duration_minutes: own.seconds > 0 ? rounded(own.seconds / 60, 2) : undefined,
        energy_kcal: own.kcal > 0 ? own.kcal : undefined,
        heart_rate_average: own.heartRatePoints > 0 ? Math.round(own.heartRate / own.heartRatePoints) : undefined,
        heart_rate_maximum: own.beats > 0 ? own.beats : undefined,
        lap_count: own.laps,
        notes: own.notes,
        ...(start === undefined ? {} : { start }),
      };
      const facts = {
        name: own.name,
        activity: own.sport,
        recorded_by: own.device,
        ...(own.metres > 0 && own.part === 0 ? { distance_m: rounded(own.metres, 1) } : {}),
        ...(isWorkout ? sums : { is_planned: isCourse || undefined }),
      };
      emit({ segments, stream: isWorkout ? "workouts" : "tracks", facts, offset: offset() });
      own.segments = [[]];
      own.count = 0;
      own.part++;
    }

    function endPoint(own: OpenActivity, found: TrackPoint): void {
      if (own.segments.length === 0) own.segments.push([]);
      own.segments.at(-1)!.push(found);
      own.count++;
      if (found.heartRate !== undefined) {
        own.heartRate += found.heartRate;
        own.heartRatePoints++;
        own.beats = Math.max(own.beats, found.heartRate);
      }
      if (own.count >= POINTS_MAX) end(own, false);
    }

    return {
      open({ name, attributes }) {
        if (name === "Activity" || name === "Course") activity = begun(attributes.Sport);
        else if (activity === undefined) return;
        else if (name === "Lap") {
          activity.laps++;
          activity.start ??= timeOf(attributes.StartTime);
        } else if (name === "Track") activity.segments.push([]);
        else if (name === "Trackpoint") {
          point = {};
          latitude = undefined;
          longitude = undefined;
        }
      },
      close({ name, text }, outer) {
        if (activity === undefined) return;
        if (name === "Activity" || name === "Course") {
          if (activity.part === 0 || activity.count > 0) end(activity, name === "Course");
          activity = undefined;
        } else if (name === "Trackpoint" && point !== undefined) {
          endPoint(activity, { ...point, ...positionOf(latitude, longitude) });
          point = undefined;
        } else if (point !== undefined) {
          if (name === "Time") point.at = timeOf(text);
          else if (name === "LatitudeDegrees") latitude = numberOf(text);
          else if (name === "LongitudeDegrees") longitude = numberOf(text);
          else if (name === "AltitudeMeters") point.altitude = numberOf(text);
          else if (name === "Value" && outer?.name === "HeartRateBpm") point.heartRate = numberOf(text);
        } else if (outer?.name === "Lap") {
          if (name === "TotalTimeSeconds") activity.seconds += Math.max(0, numberOf(text) ?? 0);
          else if (name === "DistanceMeters") activity.metres += Math.max(0, numberOf(text) ?? 0);
          else if (name === "Calories") activity.kcal += Math.max(0, numberOf(text) ?? 0);
        } else if (name === "Value" && outer?.name === "MaximumHeartRateBpm") {
          activity.beats = Math.max(activity.beats, numberOf(text) ?? 0);
        } else if (name === "Id") activity.start = timeOf(text) ?? activity.start;
        else if (name === "Notes") activity.notes ??= wordsOf(text);
        else if (name === "Name" && outer?.name === "Creator") activity.device = wordsOf(text);
        else if (name === "Name") activity.name ??= wordsOf(text);
      },
      end() {
        if (activity !== undefined && activity.count > 0) end(activity, false);
      },
    };
  });
