// What the calendar source tells of itself: events as they were entered, and each time one takes place.
import { declareSource, field, hasMany, hasOne, recordSchema } from "../../../core/declare.ts";

const person = field.object(
  { name: field.text("Name", "Name, or the address."), email: field.text("E-mail", "Address of the person.") },
  ["name", "email"],
);

const TIMES = {
  starts_at: field.instant("Starts", "Beginning, with the offset of its own time zone; whole days begin at 00:00 UTC."),
  ends_at: field.instant("Ends", "End; of whole days the end of the last one."),
  all_day: field.flag("All day", "It has no hours; start_date and end_date tell the days."),
  start_date: field.date("First day", "Of an event of whole days."),
  end_date: field.date("Last day", "Of an event of whole days, included."),
};
const STATUS = field.choice("Status", "Whether it is certain; absent when the calendar does not say.", [
  "confirmed",
  "tentative",
  "cancelled",
]);
const CALENDAR = field.text("Calendar", "Name of the calendar it lies in.");

export const calendarDeclaration = declareSource("calendar", "Calendar", [
  {
    name: "events",
    description:
      "Events as they were entered: a series is one event with its rule, a changed time of a series is an event of its own.",
    display: { label: "Events", detail: "What, when, where and with whom, with descriptions" },
    kind: "event",
    roles: {
      time: "starts_at",
      end: "ends_at",
      title: "title",
      text: "description",
      place: "location",
      all_day: "all_day",
      participants: "attendees",
      organiser: "organizer",
      status: "status",
    },
    schema: recordSchema("Calendar event", {
      id: field.text("Id", "Made from calendar, UID and, for a changed time of a series, that time."),
      uid: field.text("UID", "The same in all calendars and programs."),
      calendar: CALENDAR,
      title: field.text("Title", "What it is."),
      description: field.text("Description", "Notes on the event."),
      location: field.text("Location", "Where it takes place."),
      url: field.text("Link", "Web address of the event."),
      ...TIMES,
      time_zone: field.text("Time zone", "Where its clock is; absent for whole days and times without a zone."),
      rrule: field.text("Recurrence", "Rule of the series (RFC 5545)."),
      replaces: field.instant("Replaces", "The time of the series that this event stands in for."),
      status: STATUS,
      busy: field.flag("Busy", "The time counts as taken."),
      visibility: field.choice("Visibility", "Absent: public.", ["private", "confidential"]),
      organizer: { ...person, title: "Organizer", description: "Who set it up." },
      attendees: field.list(
        "Attendees",
        "Who is invited.",
        field.object(
          {
            name: field.text("Name", "Name, or the address."),
            email: field.text("E-mail", "Address of the person."),
            response: field.choice("Response", "What the person answered.", [
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
      categories: field.texts("Categories", "Tags."),
      occurrence_count: field.count("Times", "How many times of it are listed."),
      created_at: field.instant("Created", "When it was entered."),
      updated_at: field.instant("Updated", "Last change."),
    }),
    cursor_field: "updated_at",
    consent_time_field: "starts_at",
    views: [
      { id: "busy", label: "Busy times only", fields: ["id", "starts_at", "ends_at", "all_day", "busy", "status"] },
      {
        id: "agenda",
        label: "Titles and places",
        fields: ["id", "calendar", "title", "location", "starts_at", "ends_at", "all_day", "rrule", "status"],
      },
    ],
    related: { occurrences: hasMany("occurrences", "event_id", 100) },
    ranges: ["starts_at", "ends_at", "updated_at"],
    search: ["title", "description", "location", "attendees.name", "attendees.email"],
    aggregations: {
      count_distinct: ["location"],
      group_by: [
        "calendar",
        "status",
        "location",
        "all_day",
        "busy",
        "categories",
        "attendees.name",
        "attendees.email",
      ],
      group_by_time: ["starts_at", "created_at"],
      min: ["starts_at"],
      max: ["starts_at"],
    },
  },
  {
    name: "occurrences",
    description:
      "Every time an event takes place, series unfolded until two years after the export: what was on, and what will be.",
    display: { label: "Agenda", detail: "Title, place, beginning and end of every time something takes place" },
    kind: "event",
    roles: {
      time: "starts_at",
      end: "ends_at",
      title: "title",
      place: "location",
      all_day: "all_day",
      status: "status",
    },
    schema: recordSchema("Occurrence", {
      id: field.text("Id", "Made from the event and the time of the series."),
      event_id: field.text("Event", "The event that takes place."),
      calendar: CALENDAR,
      title: field.text("Title", "What it is."),
      location: field.text("Location", "Where it takes place."),
      ...TIMES,
      status: STATUS,
      busy: field.flag("Busy", "The time counts as taken."),
    }),
    time: "starts_at",
    views: [
      { id: "busy", label: "Busy times only", fields: ["id", "starts_at", "ends_at", "all_day", "busy", "status"] },
    ],
    related: { event: hasOne("events", "event_id") },
    ranges: ["starts_at", "ends_at"],
    aggregations: {
      group_by: ["calendar", "status", "title", "location", "all_day"],
      group_by_time: ["starts_at"],
      min: ["starts_at"],
      max: ["starts_at"],
    },
  },
]);
