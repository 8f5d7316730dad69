// Declares the stream of shell histories.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";

export const shellDeclaration = declareSource("shell", "Shell history", [
  {
    name: "commands",
    description: "Commands typed into a shell, with secrets removed.",
    display: {
      label: "Commands",
      detail: "What was typed into the terminal and when; passwords and tokens are removed",
    },
    semantics: "append_only",
    kind: "command",
    roles: { text: "command" },
    schema: recordSchema("Shell command", {
      id: field.text("Id", "Derived from the time, the command and its position among identical commands."),
      at: field.instant("Ran", "When it was started; absent if the shell recorded no times."),
      command: field.text(
        "Command",
        "The command as typed, with [redacted] instead of anything that looked like a secret.",
      ),
      program: field.text("Program", "The program that was run: the first word."),
      shell: field.choice("Shell", "Shell that wrote the history.", ["bash", "zsh", "fish", "sh"]),
      seconds: field.number("Seconds", "How long it ran, if the shell recorded it (zsh)."),
      paths: field.texts("Paths", "Files mentioned in it, if the shell recorded them (fish)."),
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
