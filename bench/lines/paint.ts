// First paint of pages in a real browser, compared with a bare server that sends exactly the same bytes from memory.
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { BrowserContext } from "playwright-core";
import { startBrowser } from "../../test/browser/browser.ts";
import type { Bench } from "../bench.ts";
import { STREAM } from "../data.ts";
import { compare } from "../measure.ts";
import { inMs, type Result } from "../report.ts";
import { openOwnerSession, startPostern } from "../server.ts";

const ROUNDS = 9;
/** The first loads fill the caches on both sides. */
const WARM_UP = 2;

export const paint: Bench = {
  name: "paint",
  async onHome(home) {
    const { session, connectionId } = await openOwnerSession(home.path);
    const server = await startPostern(home.path);
    const browser = await startBrowser();
    const bare = await bareServer();
    const results: Result[] = [];
    try {
      const context = await browser.context();
      await context.addCookies(session.cookies.map((line) => cookieOf(line, server.url)));
      const pages = { timeline: "", Explore: "/explore", "stream page": `/explore/${connectionId}/${STREAM}` };
      for (const [name, place] of Object.entries(pages)) {
        const path = `/~${session.key}/dashboard${place}`;
        await bare.learn(context, server.url, path);
        const ours: number[] = [];
        const yardstick: number[] = [];
        for (let round = 0; round < ROUNDS + WARM_UP; round++) {
          for (const [origin, times] of [[server.url, ours] as const, [bare.url, yardstick] as const]) {
            const taken = await firstPaint(context, origin + path);
            if (round >= WARM_UP) times.push(taken);
          }
        }
        const compared = compare(ours, yardstick);
        results.push({
          line: `first paint of ${name === "Explore" ? name : `the ${name}`}`,
          size: home.name,
          ratio: compared.ratio,
          budget: { atMost: 2 },
          ours: inMs(compared.ours.median),
          yardstick: inMs(compared.yardstick.median),
          against: "the same bytes served from memory",
        });
      }
    } finally {
      await browser.close();
      await bare.close();
      await server.stop();
    }
    return results;
  },
};

function cookieOf(line: string, url: string): { name: string; value: string; domain: string; path: string } {
  const [pair = "", ...attributes] = line.split(/;\s*/);
  const path = attributes.find((one) => /^path=/i.test(one))?.slice("path=".length) ?? "/";
  const [name = "", value = ""] = pair.split("=", 2);
  return { name, value, domain: new URL(url).hostname, path };
}

/** Returns the milliseconds from the start of navigation to the first contentful paint. */
async function firstPaint(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  await page.goto(url);
  const taken = await page.evaluate<number>(`new Promise((resolve) =>
    new PerformanceObserver((list) => resolve(list.getEntriesByName("first-contentful-paint")[0].startTime))
      .observe({ type: "paint", buffered: true }))`);
  await page.close();
  return taken;
}

interface Kept {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Serves recorded responses from memory, with the same compression as the original server. */
async function bareServer() {
  const kept = new Map<string, Kept>();
  const server = createServer((asked, response) => {
    const found = kept.get(asked.url!);
    if (found === undefined) response.writeHead(404).end();
    else response.writeHead(200, found.headers).end(found.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Records everything that the page loads. */
    async learn(context: BrowserContext, origin: string, path: string): Promise<void> {
      const page = await context.newPage();
      const asked: { url: string; headers: Promise<Record<string, string>> }[] = [];
      page.on("request", (one) => asked.push({ url: one.url(), headers: one.allHeaders() }));
      await page.goto(origin + path);
      for (const { url, headers } of asked)
        if (url.startsWith(origin)) kept.set(url.slice(origin.length), await fetched(url, await headers));
      await page.close();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function fetched(url: string, headers: Record<string, string>): Promise<Kept> {
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(":")));
  return new Promise((resolve, reject) => {
    request(url, { headers: own }, async (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`${url}: ${answer.statusCode}`));
      resolve({ headers: answer.headers, body: await buffer(answer) });
    })
      .once("error", reject)
      .end();
  });
}
