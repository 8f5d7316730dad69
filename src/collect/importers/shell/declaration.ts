// What the shell history source says of itself.
import {
  choice,
  declareSource,
  flag,
  instant,
  list,
  number,
  ranges,
  recordSchema,
  selectable,
  text,
} from "../declare.ts";

export const shellDeclaration = declareSource("shell", "Shell history", [
  {
    name: "commands",
    description: "Commands typed into a shell, secrets made unreadable.",
    display: {
      label: "Commands",
      detail: "What was typed into the terminal and when; passwords and tokens are removed",
    },
    semantics: "append_only",
    schema: recordSchema("Shell command", {
      id: text("Id", "Made from the time, the command and its place among equal ones."),
      at: instant("Ran", "When it was started; absent where the shell kept no times."),
      command: text("Command", "As typed, with [redacted] in place of what looked like a secret."),
      program: text("Program", "The first word: what was run."),
      shell: choice("Shell", "Which shell wrote the history.", ["bash", "zsh", "fish", "sh"]),
      seconds: number("Seconds", "How long it ran, where the shell keeps it (zsh)."),
      paths: list("Paths", "Files it named, where the shell keeps them (fish).", { type: "string" }),
      redacted: flag("Redacted", "Whether something was removed from it."),
    }),
    primary_key: ["id"],
    cursor_field: "at",
    consent_time_field: "at",
    selection: selectable,
    views: [
      { id: "programs", label: "Which programs and when, no arguments", fields: ["id", "at", "program", "shell"] },
      {
        id: "full",
        label: "Everything",
        fields: ["id", "at", "command", "program", "shell", "seconds", "paths", "redacted"],
      },
    ],
    query: {
      range_filters: ranges("at", "seconds"),
      search: { lexical_fields: ["command"] },
      aggregations: {
        count: true,
        count_distinct: ["program"],
        group_by: ["program", "shell", "redacted"],
        group_by_time: ["at"],
        sum: ["seconds"],
        avg: ["seconds"],
        min: ["at", "seconds"],
        max: ["at", "seconds"],
      },
    },
  },
]);
