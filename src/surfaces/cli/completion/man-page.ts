// The man page pdpp(1), in roff.
import { EXIT_CODES, GENERAL_OPTIONS } from "../help.ts";
import type { DescribedCommand } from "./described-commands.ts";

export function manPage(commands: readonly DescribedCommand[], version: string): string {
  const sections = commands.map(({ name, command, options }) =>
    [
      `.SS pdpp ${text(name)}`,
      text(`${command.summary[0]!.toUpperCase()}${command.summary.slice(1)}.`),
      ".PP",
      ".nf",
      text(command.usage),
      ".fi",
      ...options.flatMap(({ name: option, value, about }) => [
        ".TP",
        `\\fB\\-\\-${text(option)}\\fR${value === undefined ? "" : ` \\fI${text(value)}\\fR`}`,
        text(about),
      ]),
      ...(command.details === undefined ? [] : [".PP", ".nf", text(command.details), ".fi"]),
      ".PP",
      "Examples:",
      ".PP",
      ".nf",
      ".RS 4",
      text(command.examples.join("\n")),
      ".RE",
      ".fi",
    ].join("\n"),
  );
  return `.TH PDPP 1 "" "Postern ${text(version)}" "Postern"
.SH NAME
pdpp \\- serve your personal data to the AI apps that you approve
.SH SYNOPSIS
.B pdpp
.I COMMAND
[options]
.SH COMMON OPTIONS
.nf
${text(GENERAL_OPTIONS)}
.fi
.SH COMMANDS
${sections.join("\n")}
.SH EXIT STATUS
${text(EXIT_CODES)}
.SH FILES
.TP
.I ~/.postern
the home, unless \\-\\-home or $PDPP_HOME sets another
.TP
.I ~/.pdpp
credentials for the servers that this terminal is connected to
`;
}

/** Backslashes and dashes are special in roff, and so is a dot or quote at the start of a line. */
const text = (given: string): string =>
  given
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^(?=['.])/gm, "\\&");
