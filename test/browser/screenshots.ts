// npm run screenshots: makes the screenshots for the docs (pictures.ts). With `-- --all FOLDER [NAME…]`, it captures
// every page, light, dark and narrow.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { discover, register } from "../oauth/world.ts";
import { SCHEMES, type View, WIDTHS } from "./browser.ts";
import { dashboardPages } from "./dashboard-pages.ts";
import { type DashboardWorld, dashboardWorld } from "./dashboard-world.ts";
import { PICTURES } from "./pictures.ts";

/** The height to which pages not shown in the docs are cropped. */
const HEIGHT_MAX = 1400;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { all: { type: "string" } } });
const wanted = (name: string): boolean => positionals.length === 0 || positionals.includes(name);
const folder = values.all ?? fileURLToPath(new URL("../../docs/screenshots", import.meta.url));
mkdirSync(folder, { recursive: true });
const world = await dashboardWorld({ disk: true });
try {
  const pages: Record<string, string> = {
    ...(await dashboardPages(world.server, { failingConnectors: values.all !== undefined })),
    consent: await consentPage(world),
  };
  if (values.all === undefined) {
    for (const [name, { page, scheme = "light", width = 1280, height }] of Object.entries(PICTURES))
      if (wanted(name)) await take(pages[page]!, name, { scheme, width }, height);
  } else {
    for (const [name, path] of Object.entries(pages).filter(([page]) => wanted(page)))
      for (const scheme of SCHEMES)
        for (const width of WIDTHS) await take(path, `${name}-${scheme}-${width}`, { scheme, width }, HEIGHT_MAX);
  }
} finally {
  await world.close();
}
// A process of the test server may outlive it by minutes.
process.exit();

async function take(path: string, name: string, view: View, heightMax: number): Promise<void> {
  const { page, complaints } = await world.open(path, view);
  const file = join(folder, `${name}.png`);
  const height = Math.min(heightMax, (await page.evaluate("document.documentElement.scrollHeight")) as number);
  await page.screenshot({ path: file, fullPage: true, clip: { x: 0, y: 0, width: view.width!, height } });
  process.stdout.write(`${file}${complaints.length === 0 ? "" : `  ${complaints.join(" | ")}`}\n`);
  await page.context().close();
}

/** Returns the address to which an app sends the owner's browser. */
async function consentPage({ server }: DashboardWorld): Promise<string> {
  const redirect_uri = "http://127.0.0.1:9/callback";
  const client = await register(
    { as: await discover(server.url) },
    { client_name: "Trip planner", redirect_uris: [redirect_uri] },
  );
  const asked = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri,
    response_type: "code",
    code_challenge: "IdFsue1MJJJtybEPX0invmHHuW1I7Ai5LXVlXpENjsk",
    code_challenge_method: "S256",
    state: "asked",
    resource: `${server.url}/mcp`,
  });
  return `/oauth/authorize?${asked}`;
}
