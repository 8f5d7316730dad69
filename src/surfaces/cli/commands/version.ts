// pdpp version: prints the installed version and the home format that it writes.
import { HOME_FORMAT, homeFormat } from "../../../engine/home-format.ts";
import { answer, type Command, UsageError } from "../command.ts";
import { installedVersion } from "../version.ts";

export const version: Command = {
  summary: "versions of pdpp and Node, and the format of a home",
  usage: "pdpp version [--home DIR]",
  details: "A home in an earlier format is upgraded when it is opened; a copy of it is kept (docs/run/upgrading.md).",
  examples: ["pdpp version", "pdpp version --home ~/my-data --json"],
  options: {},
  local: true,
  async run(context) {
    if (context.positionals.length > 0) throw new UsageError("`pdpp version` takes no argument");
    const value = {
      version: await installedVersion(),
      node: process.versions.node,
      sqlite: process.versions.sqlite ?? null,
      format: HOME_FORMAT,
      home: { path: context.home, format: homeFormat(context.home) ?? null },
    };
    answer(context, value, ({ version: own, node, sqlite, format, home }) =>
      [
        `pdpp ${own}`,
        `Node ${node}, SQLite ${sqlite}`,
        `Home format ${format}`,
        `${home.path}: ${home.format === null ? "no home yet" : `format ${home.format}`}`,
      ].join("\n"),
    );
    return 0;
  },
};
