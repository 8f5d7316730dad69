// pdpp man: the man page, generated from the same definitions as the help.
import { type Command, UsageError } from "../command.ts";
import { installedVersion } from "../version.ts";

export const man: Command = {
  summary: "print the man page pdpp(1)",
  usage: "pdpp man",
  details: "npm installs it too: man pdpp",
  examples: ["pdpp man", "pdpp man > pdpp.1"],
  options: {},
  remote: true,
  async run({ positionals, out }) {
    if (positionals.length > 0) throw new UsageError("`pdpp man` takes no argument");
    const [{ manPage }, { describedCommands }] = await Promise.all([
      import("../completion/man-page.ts"),
      import("../completion/described-commands.ts"),
    ]);
    out(manPage(await describedCommands(), await installedVersion()));
    return 0;
  },
};
