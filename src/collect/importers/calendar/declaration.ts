// What the calendar source tells of itself: events as they were entered, and each time one takes place.
import {
  choice,
  count,
  date,
  declareSource,
  flag,
  instant,
  list,
  object,
  ranges,
  recordSchema,
  selectable,
  text,
} from "../declare.ts";

const person = object(
  { name: text("Name", "Name, or the address."), email: text("E-mail", "Address of the person.") },
  ["name", "email"],
);

const TIMES = {
  starts_at: instant("Starts", "Beginning, with the offset of its own time zone; whole days begin at 00:00 UTC."),
  ends_at: instant("Ends", "End; of whole days the end of the last one."),
  all_day: flag("All day", "It has no hours; start_date and end_date tell the days."),
  start_date: date("First day", "Of an event of whole days."),
  end_date: date("Last day", "Of an event of whole days, included."),
};
const STATUS = choice("Status", "Whether it is certain; absent when the calendar does not say.", [
  "confirmed",
  "tentative",
  "cancelled",
]);
const CALENDAR = text("Calendar", "Name of the calendar it lies in.");

export const calendarDeclaration = declareSource("calendar", "Calendar", [
  {
    name: "events",
    description:
      "Events as they were entered: a series is one event with its rule, a changed time of a series is an event of its own.",
    display: { label: "Events", detail: "What, when, where and with whom, with descriptions" },
    semantics: "mutable_state",
    schema: recordSchema("Calendar event", {
      id: text("Id", "Made from calendar, UID and, for a changed time of a series, that time."),
      uid: text("UID", "The same in all calendars and programs."),
      calendar: CALENDAR,
      title: text("Title", "What it is."),
      description: text("Description", "Notes on the event."),
      location: text("Location", "Where it takes place."),
      url: text("Link", "Web address of the event."),
      ...TIMES,
      time_zone: text("Time zone", "Where its clock is; absent for whole days and times without a zone."),
      rrule: text("Recurrence", "Rule of the series (RFC 5545)."),
      replaces: instant("Replaces", "The time of the series that this event stands in for."),
      status: STATUS,
      busy: flag("Busy", "The time counts as taken."),
      visibility: choice("Visibility", "Absent: public.", ["private", "confidential"]),
      organizer: { ...person, title: "Organizer", description: "Who set it up." },
      attendees: list(
        "Attendees",
        "Who is invited.",
        object(
          {
            name: text("Name", "Name, or the address."),
            email: text("E-mail", "Address of the person."),
            response: choice("Response", "What the person answered.", [
              "accepted",
              "declined",
              "tentative",
              "needs-action",
              "delegated",
            ]),
          },
          ["name", "email"],
        ),
      ),
      categories: list("Categories", "Tags.", { type: "string" }),
      occurrence_count: count("Times", "How many times of it are listed."),
      created_at: instant("Created", "When it was entered."),
      updated_at: instant("Updated", "Last change."),
    }),
    primary_key: ["id"],
    cursor_field: "updated_at",
    consent_time_field: "starts_at",
    selection: selectable,
    views: [
      { id: "busy", label: "Busy times only", fields: ["id", "starts_at", "ends_at", "all_day", "busy", "status"] },
      {
        id: "agenda",
        label: "Titles and places",
        fields: ["id", "calendar", "title", "location", "starts_at", "ends_at", "all_day", "rrule", "status"],
      },
    ],
    relationships: [{ name: "occurrences", stream: "occurrences", foreign_key: "event_id", cardinality: "has_many" }],
    query: {
      range_filters: ranges("starts_at", "ends_at", "updated_at"),
      expand: [{ name: "occurrences", default_limit: 10, max_limit: 100 }],
      search: { lexical_fields: ["title", "description", "location"] },
      aggregations: {
        count: true,
        count_distinct: ["location"],
        group_by: ["calendar", "status", "location", "all_day", "busy"],
        group_by_time: ["starts_at", "created_at"],
        min: ["starts_at"],
        max: ["starts_at"],
      },
    },
  },
  {
    name: "occurrences",
    description:
      "Every time an event takes place, series unfolded until two years after the export: what was on, and what will be.",
    display: { label: "Agenda", detail: "Title, place, beginning and end of every time something takes place" },
    semantics: "mutable_state",
    schema: recordSchema("Occurrence", {
      id: text("Id", "Made from the event and the time of the series."),
      event_id: text("Event", "The event that takes place."),
      calendar: CALENDAR,
      title: text("Title", "What it is."),
      location: text("Location", "Where it takes place."),
      ...TIMES,
      status: STATUS,
      busy: flag("Busy", "The time counts as taken."),
    }),
    primary_key: ["id"],
    cursor_field: "starts_at",
    consent_time_field: "starts_at",
    selection: selectable,
    views: [
      { id: "busy", label: "Busy times only", fields: ["id", "starts_at", "ends_at", "all_day", "busy", "status"] },
    ],
    relationships: [{ name: "event", stream: "events", foreign_key: "event_id", cardinality: "has_one" }],
    query: {
      range_filters: ranges("starts_at", "ends_at"),
      expand: [{ name: "event" }],
      aggregations: {
        count: true,
        group_by: ["calendar", "status", "title", "location", "all_day"],
        group_by_time: ["starts_at"],
        min: ["starts_at"],
        max: ["starts_at"],
      },
    },
  },
]);
