// The declaration of Google's location history: visits, trips, recorded positions and frequent places.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";
import { trackFields, WAY_ROLES } from "../track.ts";

const { start, end } = trackFields;
const place = {
  latitude: field.number("Latitude", "Degrees north."),
  longitude: field.number("Longitude", "Degrees east."),
};
const confidence = field.number("Confidence", "How sure Google is, 0 to 1.");

export const googleLocationDeclaration = declareSource("google-location", "Google location history", [
  {
    name: "visits",
    description: "Stays at a place, as Google worked them out.",
    display: { label: "Visits", detail: "Places where you stayed, and from when to when" },
    kind: "visit",
    roles: {
      end: "end",
      title: "name",
      "place.name": "address",
      "place.latitude": "latitude",
      "place.longitude": "longitude",
    },
    schema: recordSchema("Visit", {
      id: field.text("Id", "Made from the time when the visit began."),
      start,
      end,
      name: field.text("Place", "Its name; exports from a phone often have none."),
      address: field.text("Address", "Of the place."),
      ...place,
      place_id: field.text("Place id", "Google's own id of the place."),
      category: field.text("Category", "What the place is to you: home, work, searched address …"),
      level: field.count(
        "Level",
        "0: a visit by itself; 1 and more: a visit inside another, such as a shop in a mall.",
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
    description: "Ways from one place to another, with the means of transport that Google took them for.",
    display: { label: "Trips", detail: "How you went from place to place, when, how far and along which way" },
    kind: "track",
    roles: { ...WAY_ROLES, activity: "activity" },
    schema: recordSchema("Trip", {
      id: field.text("Id", "Made from the time when the trip began."),
      ...trackFields,
      activity: field.text("Activity", "walking, in passenger vehicle, cycling …"),
      end_latitude: field.number("End latitude", "Degrees north, where it ended."),
      end_longitude: field.number("End longitude", "Degrees east, where it ended."),
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
    description: "Positions that a phone recorded, in records of one day (UTC) or one stretch of the timeline.",
    display: { label: "Recorded positions", detail: "Where your phone was, every few minutes" },
    kind: "track",
    roles: { ...WAY_ROLES, title: "name" },
    schema: recordSchema("Positions", {
      id: field.text("Id", "Made from the time of the first position."),
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
    description: "Places that Google takes for home, work or often visited.",
    display: { label: "Frequent places", detail: "Home, work and other places you are at often" },
    schema: recordSchema("Frequent place", {
      id: field.text("Id", "Made from the place."),
      label: field.text("Label", "HOME, WORK …"),
      ...place,
      place_id: field.text("Place id", "Google's own id of the place."),
    }),
    aggregations: { group_by: ["label"] },
  },
]);
