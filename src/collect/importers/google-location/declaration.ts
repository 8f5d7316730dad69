// Declares the streams of Google's location history: visits, trips, recorded positions and frequent places.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";
import { TRACK_ROLES, trackFields } from "../track.ts";

const { start, end } = trackFields;
const place = {
  latitude: field.number("Latitude", "Degrees north."),
  longitude: field.number("Longitude", "Degrees east."),
};
const confidence = field.number("Confidence", "How certain Google is, from 0 to 1.");

export const googleLocationDeclaration = declareSource("google-location", "Google location history", [
  {
    name: "visits",
    description: "Visits to places, as detected by Google.",
    display: { label: "Visits", detail: "Places you visited, with arrival and departure times" },
    kind: "visit",
    roles: {
      end: "end",
      title: "name",
      "place.name": "address",
      "place.latitude": "latitude",
      "place.longitude": "longitude",
    },
    schema: recordSchema("Visit", {
      id: field.text("Id", "Derived from the time when the visit began."),
      start,
      end,
      name: field.text("Place", "Name of the place; often missing in exports from a phone."),
      address: field.text("Address", "Address of the place."),
      ...place,
      place_id: field.text("Place id", "Google's own id for the place."),
      category: field.text("Category", "What the place is to you: home, work, searched address …"),
      level: field.count(
        "Level",
        "0 for a visit on its own; 1 or more for a visit inside another, such as a shop in a mall.",
      ),
      confidence,
    }),
    time: "start",
    views: [
      { id: "when", label: "When and which place, no positions", fields: ["id", "start", "end", "name", "category"] },
    ],
    ranges: ["end", "latitude", "longitude"],
    search: ["name", "address"],
    aggregations: {
      count_distinct: ["place_id"],
      group_by: ["name", "place_id", "category", "level"],
    },
  },
  {
    name: "trips",
    description: "Trips from one place to another, with the means of transport that Google detected.",
    display: { label: "Trips", detail: "How you got from place to place, when, how far and by which route" },
    kind: "track",
    roles: { ...TRACK_ROLES, activity: "activity" },
    schema: recordSchema("Trip", {
      id: field.text("Id", "Derived from the time when the trip began."),
      ...trackFields,
      activity: field.text("Activity", "walking, in passenger vehicle, cycling …"),
      end_latitude: field.number("End latitude", "Where it ended, in degrees north."),
      end_longitude: field.number("End longitude", "Where it ended, in degrees east."),
      confidence,
    }),
    time: "start",
    views: [
      {
        id: "when",
        label: "When, how and how far, no positions",
        fields: ["id", "start", "end", "activity", "distance_m"],
      },
    ],
    ranges: ["end", "distance_m", "latitude", "longitude"],
    search: ["activity"],
    aggregations: {
      group_by: ["activity"],
      sum: ["distance_m"],
      avg: ["distance_m"],
      max: ["distance_m"],
    },
  },
  {
    name: "positions",
    description: "Positions that a phone recorded, one record for each day (UTC) or each segment of the timeline.",
    display: { label: "Recorded positions", detail: "Where your phone was, every few minutes" },
    kind: "track",
    roles: { ...TRACK_ROLES, title: "name" },
    schema: recordSchema("Positions", {
      id: field.text("Id", "Derived from the time of the first position."),
      name: field.text("Name", "The day."),
      ...trackFields,
    }),
    time: "start",
    views: [{ id: "days", label: "Which days, no positions", fields: ["id", "name", "start", "end", "point_count"] }],
    ranges: ["end", "distance_m", "point_count"],
    aggregations: { sum: ["point_count", "distance_m"] },
  },
  {
    name: "frequent_places",
    description: "Places that Google identified as your home, your workplace or a place you visit often.",
    display: { label: "Frequent places", detail: "Home, work and other places you often visit" },
    schema: recordSchema("Frequent place", {
      id: field.text("Id", "Derived from the place."),
      label: field.text("Label", "HOME, WORK …"),
      ...place,
      place_id: field.text("Place id", "Google's own id for the place."),
    }),
    aggregations: { group_by: ["label"] },
  },
]);
