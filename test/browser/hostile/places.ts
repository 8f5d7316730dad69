// Hostile exports with places, tracks and workouts.
import { HOSTILE, hostile, hostileUrl, NAME } from "./corpus.ts";
import type { HostileExport } from "./exports.ts";

const hour = (index: number): string => new Date(Date.UTC(2024, 4, 31, 9) + index * 3_600_000).toISOString();

export const googleLocation: HostileExport = {
  files: {
    "2024_MAY.json": JSON.stringify({
      timelineObjects: HOSTILE.flatMap((text, index) => [
        {
          placeVisit: {
            location: {
              latitudeE7: 521_471_860,
              longitudeE7: 56_329_130,
              name: text,
              address: hostile(index + 1),
              placeId: hostile(index + 2),
              semanticType: hostile(index + 3),
            },
            duration: { startTimestamp: hour(index), endTimestamp: hour(index + 1) },
          },
        },
        {
          activitySegment: {
            activityType: text,
            waypointPath: { waypoints: [{ latE7: 521_471_860, lngE7: 56_329_130 }] },
            duration: { startTimestamp: hour(index), endTimestamp: hour(index + 1) },
          },
        },
      ]),
    }),
    "Timeline.json": JSON.stringify({
      semanticSegments: HOSTILE.map((text, index) => ({
        startTime: hour(index),
        timelinePath: [{ point: "50.05°, 14.34°", time: text }],
      })),
      userLocationProfile: {
        frequentPlaces: HOSTILE.map((text, index) => ({ label: text, placeId: hostile(index + 1) })),
      },
    }),
  },
  whole: ["visits", "name"],
  accounts: ["Google location history"],
  tame: [
    "visits.id",
    "trips.id",
    "trips.path",
    "positions.id",
    "positions.name",
    "positions.path",
    "frequent_places.id",
  ],
};

const xml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const point = (index: number): string => `lat="${48 + index / 1000}" lon="2"`;

export const tracks: HostileExport = {
  files: {
    [`${NAME}.gpx`]: `<gpx creator="${xml(NAME)}">${HOSTILE.map(
      (text, index) =>
        `<wpt ${point(index)}><name>${xml(text)}</name><desc>${xml(hostile(index + 1))}</desc><type>${xml(hostile(index + 2))}</type><link href="${xml(hostileUrl(index))}"/></wpt>`,
    ).join("")}${HOSTILE.map(
      (text, index) =>
        `<trk><name>${xml(text)}</name><desc>${xml(hostile(index + 1))}</desc><type>${xml(hostile(index + 2))}</type><trkseg><trkpt ${point(index)}><time>${hour(index)}</time></trkpt></trkseg></trk>`,
    ).join("")}</gpx>`,
    [`${NAME}.tcx`]: `<TrainingCenterDatabase><Activities>${HOSTILE.map(
      (text, index) =>
        `<Activity Sport="${xml(text)}"><Id>${hour(index)}</Id><Notes>${xml(text)}</Notes><Training><Plan><Name>${xml(hostile(index + 1))}</Name></Plan></Training><Creator><Name>${xml(hostile(index + 2))}</Name></Creator></Activity>`,
    ).join("")}</Activities></TrainingCenterDatabase>`,
  },
  whole: ["places", "name"],
  accounts: ["Tracks and workouts"],
  tame: [
    "tracks.id",
    "tracks.path",
    "places.id",
    "workouts.id",
    "workouts.path",
    "measurements.id",
    "measurements.metric",
    "measurements.unit",
  ],
};

export const strava: HostileExport = {
  files: {
    "activities.csv": `Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Activity Private Note,Activity Gear,${cell(NAME)}\n${HOSTILE.map(
      (text, index) =>
        `${index + 1},"Jan 4, 2020, 2:57:37 PM",${[text, hostile(index + 1), hostile(index + 2), hostile(index + 3), hostile(index + 4), NAME].map(cell).join(",")}\n`,
    ).join("")}`,
  },
  whole: ["activities", "name"],
  accounts: ["Strava"],
  tame: ["activities.id", "activities.path"],
};
