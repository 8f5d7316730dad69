// Converts Slack's markup to readable text: names for ids, links with their label, no entities. Emphasis stays as
// typed.
import { decodeXML } from "entities";

interface SlackNames {
  user(id: string): string | undefined;
  channel(id: string): string | undefined;
}

/** `<…>` contains a mention, a channel, a command or a link. */
const BRACKETS = /<([^<>]{1,4000})>/g;

export function plainText(mrkdwn: string, names: SlackNames): string {
  return decodeXML(
    mrkdwn.replace(BRACKETS, (whole, inside: string) => {
      const bar = inside.indexOf("|");
      const [target, label] = bar === -1 ? [inside, ""] : [inside.slice(0, bar), inside.slice(bar + 1)];
      const id = target.slice(1);
      if (target.startsWith("@")) return `@${names.user(id) ?? (label || id)}`;
      if (target.startsWith("#")) return `#${names.channel(id) ?? (label || id)}`;
      if (target.startsWith("!")) return commandText(id, label);
      if (!/^[a-z][a-z0-9+.-]*:/i.test(target)) return whole;
      const address = target.replace(/^mailto:/, "");
      return label === "" || address.endsWith(label) || label === target ? address : `${label} (${address})`;
    }),
  );
}

/** `!here`, `!subteam^S12|@team`, `!date^1392734382^{date}|18 February`. */
function commandText(command: string, label: string): string {
  if (label !== "") return label.startsWith("@") || command.startsWith("date") ? label : `@${label}`;
  return `@${command.split("^")[0]}`;
}
