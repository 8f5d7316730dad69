// Describes an export to people, with the command that downloads it.
import type { ExportInfo } from "../../contract/answers.ts";
import type { CommandContext } from "./command.ts";
import { nextCommand } from "./next-command.ts";
import { plainJson, printable } from "./printable.ts";
import { bytes, count, table } from "./table.ts";

export function printExportInfo(context: CommandContext, info: ExportInfo): void {
  const { json, out, note } = context;
  if (json) {
    out(plainJson(JSON.stringify(info)));
    return;
  }
  const about = info.count.kind === "estimated" ? "about " : "";
  out(`${about}${count(info.count.value, "record")} of ${printable(info.stream)} in ${info.connection_id}`);
  const rows = info.formats.map(({ format, estimated_bytes, url }) => [format, `~ ${bytes(estimated_bytes)}`, url]);
  out(table(["format", "size", "GET"], rows, { whole: [0, 2] }));
  note(`Download it: ${nextCommand(context, ["export", info.handle], { output: "FILE" })}`);
}
