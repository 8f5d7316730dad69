// Shows windows to people: the text on stdout; the position and how to continue on stderr.
import type { FieldWindow } from "../../contract/answers.ts";
import { formatHandle } from "../../contract/handle.ts";
import type { CommandContext } from "./command.ts";
import { nextCommand } from "./next-command.ts";
import { plainJson, printable, printableText } from "./printable.ts";

export function printWindow(context: CommandContext, answer: FieldWindow): void {
  if (context.json) {
    context.out(plainJson(JSON.stringify(answer)));
    return;
  }
  context.out(printableText(answer.window.text));
  for (const line of position(context, answer)) context.note(line);
}

function position(context: CommandContext, answer: FieldWindow): string[] {
  const { window, field } = answer;
  const place = field.pointer === undefined ? field.path : `${field.path} at ${field.pointer}`;
  const span = window.complete
    ? `all ${window.total_chars} characters`
    : `characters ${window.start_chars} to ${window.end_chars} of ${window.total_chars}`;
  const lines = [`[${printable(place)}: ${span}]`];
  const read = (offset: number) =>
    nextCommand(context, [
      "read",
      formatHandle({
        kind: "field-window",
        connection_id: answer.connection_id,
        stream: answer.stream,
        id: answer.record_id,
        field: field.path,
        ...(field.pointer === undefined ? {} : { pointer: field.pointer }),
        offset,
        limit: window.limit_chars,
        revision: answer.revision,
      }),
    ]);
  if (window.next_offset_chars !== undefined) lines.push(`Next: ${read(window.next_offset_chars)}`);
  if (window.previous_offset_chars !== undefined) lines.push(`Back: ${read(window.previous_offset_chars)}`);
  if (field.items !== undefined) {
    const options = { field: field.path, pointer: `${field.pointer ?? ""}/${field.items - 1}` };
    lines.push(`One of its ${field.items} items: ${nextCommand(context, ["read", recordOf(answer)], options)}`);
  }
  if (window.match_count !== undefined)
    lines.push(
      `[matches: ${window.match_count}; this one at characters ${window.match_start_chars} to ${window.match_end_chars}]`,
    );
  if (answer.next_match_handle !== undefined) lines.push(`Next match: ${nextMatch(context, answer)}`);
  return lines;
}

/** Repeats the requested context, because a handle does not contain it. */
function nextMatch(context: CommandContext, { next_match_handle: handle, window }: FieldWindow): string {
  const { around, before, after } = context.values;
  const place = ["read", handle!];
  if (before === undefined && after === undefined) return nextCommand(context, place);
  return nextCommand(context, place, { around, before, after, offset: String(window.next_match_chars) });
}

const recordOf = ({ connection_id, stream, record_id: id }: FieldWindow): string =>
  formatHandle({ kind: "record", connection_id, stream, id });
