// People in a mailbox, compared with one count by sender over the same columns: a list of everyone, and the messages of
// one person.
import { mailDeclaration } from "../../src/collect/importers/mail/declaration.ts";
import { localHost } from "../../src/engine/local-host.ts";
import { threadedHost } from "../../src/engine/threads/threaded-host.ts";
import { openSqliteStore, prepareHome } from "../../src/store/sqlite/sqlite-store.ts";
import type { Bench } from "../bench.ts";
import { randomFrom } from "../data.ts";
import { type BenchHome, markFilled, openHome } from "../home.ts";
import { alternate, milliseconds } from "../measure.ts";
import { inMs, type Result } from "../report.ts";

const OWNER = { home: true } as const;
const BATCH = 1000;
/** Average number of messages per correspondent; some people write far more than others. */
const MAILS_EACH = 50;

export const people: Bench = {
  name: "people",
  async onSize(name, { keep }) {
    const home = openHome(name, keep, `people-${name}`);
    // Not measured at a million messages, because filling takes minutes and mailboxes are smaller.
    if (home.records > 100_000) return [];
    if (!home.reused) await fill(home);
    const host = threadedHost({
      place: { home: home.path },
      onFailure: (text) => {
        throw new Error(text);
      },
    });
    const ask = () => host.callText("people", { limit: 25 }, OWNER);
    const first = await milliseconds(ask);
    const senders = { stream: "messages", metric: "count", group_by: "from_address", limit: 25 } as const;
    const count = () => host.callText("aggregate", senders, OWNER);
    const results: Result[] = [];
    for (const [line, ours] of [
      [`list of people (first call: ${inMs(first)})`, ask],
      [
        "search for emails with one person",
        () => host.callText("search", { q: "with:p7@example.com", limit: 10 }, OWNER),
      ],
    ] as const) {
      const measured = await alternate({ ours, yardstick: count }, { rounds: 5, calls: 5 });
      results.push({
        line,
        size: home.name,
        ratio: measured.ratio,
        ours: inMs(measured.ours.median),
        yardstick: inMs(measured.yardstick.median),
        against: "a count by sender",
      });
    }
    await host.close();
    return results;
  },
};

async function fill({ path, records }: BenchHome): Promise<void> {
  prepareHome(path);
  const host = localHost(openSqliteStore(path), { home: path, persist: false });
  await host.call("putConnector", { connector_key: "mail", declaration: mailDeclaration }, OWNER);
  const { connection_id } = await host.call("createConnection", { connector_id: "mail" }, OWNER);
  const random = randomFrom(7);
  const person = () => {
    const number = Math.floor(random() ** 2 * Math.ceil(records / MAILS_EACH));
    return { name: `Person ${number}`, address: `p${number}@example.com` };
  };
  for (let start = 0; start < records; start += BATCH) {
    const lines = Array.from({ length: Math.min(BATCH, records - start) }, (_, index) => {
      const [from, ...to] = [person(), person(), person()];
      const id = `m${start + index}`;
      const sent_at = new Date(Date.UTC(2020, 0, 1) + (start + index) * 60_000).toISOString();
      const data = {
        id,
        subject: id,
        body: "words ".repeat(200),
        sent_at,
        from_name: from!.name,
        from_address: from!.address,
        to,
      };
      return JSON.stringify({ key: id, data, emitted_at: sent_at });
    });
    await host.call("ingest", { stream: "messages", connection_id, text: lines.join("\n") }, OWNER);
  }
  await host.close();
  markFilled(path);
}
