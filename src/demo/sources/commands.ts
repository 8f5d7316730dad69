// Commands from the last months, as a zsh history with times.
import { days, dublin, minutes } from "../clock.ts";
import type { DemoExport } from "../home.ts";
import { createRandom } from "../random.ts";
import { commandLines, upload } from "../text/command-lines.ts";

const FIRST = "2026-03-01";

export function commandsExport(): DemoExport {
  return {
    key: "commands",
    display_name: "Terminal",
    *files() {
      yield { path: ".zsh_history", content: history() };
    },
  };
}

/** Each line is `: seconds since 1970:seconds it took;command`. */
function history(): string {
  const random = createRandom("commands");
  const lines: string[] = [];
  for (const { date, weekday } of days(FIRST)) {
    if (!random.chance(weekday >= 5 ? 0.5 : 0.12)) continue;
    let at = dublin(`${date} 2${random.int(0, 1)}:${random.int(10, 30)}`);
    const typed = ["cd ~/wren-box", ...Array.from({ length: random.int(2, 5) }, () => random.pick(commandLines))];
    for (const command of random.chance(0.2) ? [...typed, upload] : typed) {
      lines.push(`: ${at / 1000}:${random.int(0, 40)};${command}`);
      at += minutes(random.int(1, 6));
    }
  }
  return `${lines.join("\n")}\n`;
}
