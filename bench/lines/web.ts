// Dashboard pages compared with the same data as JSON: the cost of rendering a page of the record table.
import type { Bench } from "../bench.ts";
import { SOME_ACCOUNT, STREAM } from "../data.ts";
import { openClient, sessionHead } from "../http-client.ts";
import { alternate } from "../measure.ts";
import { inMs, type Result } from "../report.ts";
import { openOwnerSession, startPostern } from "../server.ts";

export const web: Bench = {
  name: "web",
  async onHome(home) {
    const { session, connectionId } = await openOwnerSession(home.path);
    const server = await startPostern(home.path);
    const client = await openClient(server.port);
    const place = `/dashboard/explore/${connectionId}/${STREAM}`;
    const ask = (target: string): Promise<string> => client.send(sessionHead(target, server.port, session));
    const lines = {
      "dashboard page, record table": "",
      "dashboard page, filtered record table": `?filter[account]=${SOME_ACCOUNT}&sort=-amount`,
    };
    const results: Result[] = [];
    for (const [line, search] of Object.entries(lines)) {
      const rows = (await ask(place + search)).split('<th scope="row">').length - 1;
      const data = (JSON.parse(await ask(`${place}.json${search}`)) as { rows: unknown[] }).rows.length;
      if (rows === 0 || rows !== data) throw new Error(`the page has ${rows} records, its JSON form has ${data}`);
      const { ours, yardstick, ratio } = await alternate(
        { ours: () => ask(place + search), yardstick: () => ask(`${place}.json${search}`) },
        { rounds: 9, calls: 20 },
      );
      results.push({
        line,
        size: home.name,
        ratio,
        budget: { atMost: 2 },
        ours: inMs(ours.median),
        yardstick: inMs(yardstick.median),
        against: "the same page as JSON",
      });
    }
    client.close();
    await server.stop();
    return results;
  },
};
