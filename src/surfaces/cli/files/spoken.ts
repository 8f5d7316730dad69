// Rewrites the next steps of the file shell, which mention its tools, for people at a terminal.
import { quote } from "../../../core/shell-quote.ts";

const PATH = `\\{"path":("(?:[^"\\\\]|\\\\.)*")\\}`;

/** The command for each tool call; the first match is used. */
const CALLS: readonly [call: RegExp, command: (...found: string[]) => string][] = [
  [/cd\(\{"path":"\/"\}\)/g, () => "`pdpp files roots`"],
  [new RegExp(`cd\\(${PATH}\\)`, "g"), (_call, path) => `\`pdpp files ls ${wordOf(path!)}\``],
  [/index\(\{"root":("(?:[^"\\]|\\.)*")\}\)/g, (_call, root) => `\`pdpp files index ${wordOf(root!)}\``],
  [/inspect\(\{"nodeId":"[^"]*"\}\)/g, () => "`pdpp files ls PATH` with the directory that contains it"],
  [/resource-set-ops\(\{"op":"list"\}\)/g, () => "`pdpp files sets`"],
  [/resource-set-ops\(\{"op":"delete","selectionId":"…"\}\)/g, () => "`pdpp files sets delete ID`"],
  [/query-list\(\{\}\)/g, () => "`pdpp files queries`"],
  [/query-run with a filter/g, () => "`pdpp files find … --save NAME`"],
  [/GET \/api\/indexes\/INDEX\/nodes\/NODE\/detail/g, () => "`pdpp files ls PATH`"],
  [/GET \/api\/indexes(?!\/)/g, () => "`pdpp files roots`"],
];

export function fileCommands(step: string): string {
  return CALLS.reduce((text, [call, command]) => text.replace(call, command), step).replace(/\bCall (?=`)/g, "Run ");
}

const wordOf = (json: string): string => quote(JSON.parse(json) as string);
