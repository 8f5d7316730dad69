// Pages that Nora opened in the last half year, as the Chrome history in a Google Takeout.
import { days, dublin, minutes } from "../clock.ts";
import type { DemoExport } from "../home.ts";
import { createRandom } from "../random.ts";
import { often, sometimes } from "../text/page-titles.ts";

const FIRST = "2026-01-01";

export function browsingExport(): DemoExport {
  return {
    key: "browsing",
    display_name: "Browser",
    *files() {
      const path = "Takeout/Chrome/BrowserHistory.json";
      yield { path, content: JSON.stringify({ "Browser History": visits() }) };
    },
  };
}

function visits(): object[] {
  const random = createRandom("browsing");
  const found: object[] = [];
  for (const { date } of days(FIRST)) {
    if (!random.chance(0.55)) continue;
    let at = dublin(`${date} ${random.pick(["08", "13", "20", "21"])}:${random.int(10, 55)}`);
    for (let left = random.int(1, 4); left > 0; left--) {
      const isOften = random.chance(0.4);
      const [url, title] = random.pick(isOften ? often : sometimes);
      const page_transition = isOften ? "TYPED" : "LINK";
      found.push({ title, url, page_transition, time_usec: at * 1000, client_id: "demo" });
      at += minutes(random.int(1, 9));
    }
  }
  return found;
}
