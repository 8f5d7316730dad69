// npm run screenshots [-- [--narrow] [--to FOLDER] NAME…]: pictures of the dashboard's pages, light and dark.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { SCHEMES } from "./browser.ts";
import { dashboardPages } from "./dashboard-pages.ts";
import { dashboardWorld } from "./dashboard-world.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { narrow: { type: "boolean" }, to: { type: "string" } },
});
/** Of long pages the beginning. */
const HEIGHT_MAX = 1400;
const folder = values.to ?? fileURLToPath(new URL("../../docs/screenshots", import.meta.url));
mkdirSync(folder, { recursive: true });
const world = await dashboardWorld({ disk: true });
try {
  const pages = Object.entries(await dashboardPages(world.server));
  for (const [name, path] of pages.filter(([name]) => positionals.length === 0 || positionals.includes(name))) {
    for (const scheme of SCHEMES) {
      const { page, complaints } = await world.open(path, { scheme, width: values.narrow ? 360 : 1280 });
      const file = join(folder, `${name}-${scheme}${values.narrow ? "-narrow" : ""}.png`);
      const height = (await page.evaluate("document.documentElement.scrollHeight")) as number;
      const width = values.narrow ? 360 : 1280;
      await page.screenshot({
        path: file,
        fullPage: true,
        clip: { x: 0, y: 0, width, height: Math.min(height, HEIGHT_MAX) },
      });
      process.stdout.write(`${file}${complaints.length === 0 ? "" : `  ${complaints.join(" | ")}`}\n`);
      await page.context().close();
    }
  }
} finally {
  await world.close();
}
