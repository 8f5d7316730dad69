// The declaration of the shell history source.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";

export const shellDeclaration = declareSource("shell", "Shell history", [
  {
    name: "commands",
    description: "Commands typed into a shell, secrets made unreadable.",
    display: {
      label: "Commands",
      detail: "What was typed into the terminal and when; passwords and tokens are removed",
    },
    semantics: "append_only",
    kind: "command",
    roles: { text: "command" },
    schema: recordSchema("Shell command", {
      id: field.text("Id", "Made from the time, the command and its place among equal ones."),
      at: field.instant("Ran", "When it was started; absent where the shell kept no times."),
      command: field.text("Command", "As typed, with [redacted] in place of what looked like a secret."),
      program: field.text("Program", "The first word: what was run."),
      shell: field.choice("Shell", "Which shell wrote the history.", ["bash", "zsh", "fish", "sh"]),
      seconds: field.number("Seconds", "How long it ran, where the shell keeps it (zsh)."),
      paths: field.texts("Paths", "Files it named, where the shell keeps them (fish)."),
      redacted: field.flag("Redacted", "Whether something was removed from it."),
    }),
    time: "at",
    views: [
      { id: "programs", label: "Which programs and when, no arguments", fields: ["id", "at", "program", "shell"] },
      { id: "full", label: "Everything" },
    ],
    ranges: ["seconds"],
    search: ["command"],
    aggregations: {
      count_distinct: ["program"],
      group_by: ["program", "shell", "redacted"],
      sum: ["seconds"],
      avg: ["seconds"],
      min: ["seconds"],
      max: ["seconds"],
    },
  },
]);
