// Declares the streams of calendars: events as entered, each of their occurrences, and tasks.
import { declareSource, field, hasMany, hasOne, recordSchema } from "../../../core/declare.ts";

const person = field.object(
  {
    name: field.text("Name", "Name of the person, or the address."),
    email: field.text("Email", "Email address of the person."),
  },
  ["name", "email"],
);

const TIMES = {
  starts_at: field.instant(
    "Starts",
    "Start, with the offset of the event's time zone; all-day events start at 00:00 UTC.",
  ),
  ends_at: field.instant("Ends", "End; for all-day events, the end of the last day."),
  all_day: field.flag("All day", "Whether it lasts all day; start_date and end_date have the days."),
  start_date: field.date("First day", "First day of an all-day event."),
  end_date: field.date("Last day", "Last day of an all-day event (inclusive)."),
};
const STATUS = field.choice("Status", "Whether it is confirmed; absent if the calendar does not say.", [
  "confirmed",
  "tentative",
  "cancelled",
]);
const CALENDAR = field.text("Calendar", "Name of the calendar.");

export const calendarDeclaration = declareSource("calendar", "Calendar", [
  {
    name: "events",
    description:
      "Events as they were entered: a series is one event with its rule, and a rescheduled occurrence is a separate event.",
    display: { label: "Events", detail: "Titles, times, places, guests and descriptions" },
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
      id: field.text("Id", "Derived from the calendar, the UID and, for a rescheduled occurrence, its original time."),
      uid: field.text("UID", "Id that calendars and programs share."),
      calendar: CALENDAR,
      title: field.text("Title", "Title of the event."),
      description: field.text("Description", "Notes on the event."),
      location: field.text("Location", "Where it takes place."),
      url: field.text("Link", "Web address of the event."),
      ...TIMES,
      time_zone: field.text("Time zone", "Time zone of the event; absent for all-day events and times without a zone."),
      rrule: field.text("Recurrence", "Recurrence rule of the series (RFC 5545)."),
      replaces: field.instant("Replaces", "Original time of the occurrence that this event replaces."),
      status: STATUS,
      busy: field.flag("Busy", "Whether the time counts as busy."),
      visibility: field.choice("Visibility", "Who may see it; absent if public.", ["private", "confidential"]),
      organizer: { ...person, title: "Organizer", description: "The person who organised it." },
      attendees: field.list(
        "Attendees",
        "People who are invited.",
        field.object(
          {
            name: field.text("Name", "Name of the person, or the address."),
            email: field.text("Email", "Email address of the person."),
            response: field.choice("Response", "The person's response to the invitation.", [
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
      occurrence_count: field.count("Times", "How many occurrences are listed."),
      created_at: field.instant("Created", "When it was entered."),
      updated_at: field.instant("Updated", "When it was last changed."),
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
    search: [
      "title",
      "description",
      "location",
      "attendees.name",
      "attendees.email",
      "organizer.name",
      "organizer.email",
    ],
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
        "organizer.name",
        "organizer.email",
      ],
      group_by_time: ["starts_at", "created_at"],
      min: ["starts_at"],
      max: ["starts_at"],
    },
  },
  {
    name: "occurrences",
    description:
      "Every occurrence of every event, past and future; series are expanded up to two years after the export.",
    display: { label: "Agenda", detail: "Title, place, start and end of every occurrence" },
    kind: "event",
    roles: { end: "ends_at", title: "title", place: "location", all_day: "all_day", status: "status" },
    schema: recordSchema("Occurrence", {
      id: field.text("Id", "Derived from the event and the time of the occurrence."),
      event_id: field.text("Event", "Id of the event."),
      calendar: CALENDAR,
      title: field.text("Title", "Title of the event."),
      location: field.text("Location", "Where it takes place."),
      ...TIMES,
      status: STATUS,
      busy: field.flag("Busy", "Whether the time counts as busy."),
    }),
    time: "starts_at",
    views: [
      { id: "busy", label: "Busy times only", fields: ["id", "starts_at", "ends_at", "all_day", "busy", "status"] },
    ],
    related: { event: hasOne("events", "event_id") },
    ranges: ["ends_at"],
    aggregations: {
      group_by: ["calendar", "status", "title", "location", "all_day"],
    },
  },
  {
    name: "tasks",
    description: "Tasks, open and done; a repeating task is one record.",
    display: { label: "Tasks", detail: "Titles, notes, due dates and whether they are done" },
    kind: "task",
    roles: { title: "title", text: "description", time: "created_at", due: "due_on", done: "done" },
    schema: recordSchema("Task", {
      id: field.text("Id", "Derived from the calendar and the UID."),
      uid: field.text("UID", "Id that calendars and programs share."),
      calendar: CALENDAR,
      title: field.text("Title", "What to do."),
      description: field.text("Description", "Notes on the task."),
      due_on: field.date("Due", "Date by which it should be done."),
      due_at: field.instant("Due at", "Time by which it should be done, if there is one."),
      status: field.choice("Status", "Status of the task.", ["needs-action", "in-process", "completed", "cancelled"]),
      done: field.flag("Done", "Whether it is completed or cancelled."),
      completed_at: field.instant("Completed", "When it was completed."),
      priority: field.count("Priority", "1 is highest, 9 lowest."),
      categories: field.texts("Categories", "Tags."),
      created_at: field.instant("Created", "When it was entered."),
      updated_at: field.instant("Updated", "When it was last changed."),
    }),
    cursor_field: "updated_at",
    consent_time_field: "created_at",
    views: [{ id: "titles", label: "Titles and state", fields: ["id", "title", "due_on", "status", "done"] }],
    ranges: ["due_on", "created_at", "updated_at", "completed_at", "priority"],
    search: ["title", "description"],
    aggregations: {
      group_by: ["calendar", "status", "done", "priority", "categories"],
      group_by_time: ["due_on", "created_at", "completed_at"],
      min: ["due_on"],
      max: ["due_on"],
    },
  },
]);
