// F-06: changes that a grant hides cause no event. Random worlds and grants are compared, change by change, with the
// grant's feed and with the world in which the hidden data does not exist.
import fc from "fast-check";
import { expect, it } from "vitest";
import { agreeable, deliver, look, type Received } from "../../src/engine/events/receiver.fixture.ts";
import { grantToken, live, makeReality, normalise, type Reality } from "./reader.ts";
import { openGrant, type Step, visibleSteps, type World, type WorldGrant, world, worldGrant } from "./world.ts";

const seed = Number(process.env.PDPP_SEED ?? Date.now() % 1_000_000_000);
const WORLDS = 5;

interface Subscriber {
  reality: Reality;
  token: string;
  /** The position read so far, by stream. */
  feeds: Map<string, string>;
}

const streamsOf = (grant: WorldGrant) => grant.selections.map(({ connection, stream }) => ({ connection, stream }));

async function subscriber(reality: Reality, grant: WorldGrant): Promise<Subscriber> {
  const token = await grantToken(reality, grant);
  await reality.host.call("createSubscription", { url: "https://app.example.test/hook" }, { token });
  const feeds = new Map<string, string>();
  const made = { reality, token, feeds };
  for (const { connection, stream } of streamsOf(grant)) await changes(made, connection, stream, "beginning");
  expect(await deliver(reality.host)).toHaveLength(1);
  return made;
}

/** Reads the changes since the last position and stores the new one. */
async function changes(one: Subscriber, connection: number, stream: string, from?: string): Promise<Received[]> {
  const { reality, token, feeds } = one;
  const connection_id = reality.connections[connection]!;
  const changes_since = from ?? feeds.get(`${connection}/${stream}`)!;
  const read: Received[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = { stream, connection_id, changes_since, limit: 100, ...(cursor === undefined ? {} : { cursor }) };
    const page = await reality.host.call("records", query, { token });
    read.push(...page.data);
    cursor = page.next_cursor;
    if (cursor !== undefined) continue;
    if (from === undefined || from === "beginning") feeds.set(`${connection}/${stream}`, page.next_changes_since!);
    return read;
  }
}

/** Checks for changes, delivers events, and returns the changes that a receiver reads from each event, by stream. */
async function told(one: Subscriber, now: number): Promise<Map<string, Received[]>> {
  one.reality.setClock(now);
  await look(one.reality.host);
  const found = new Map<string, Received[]>();
  for (const { type, data } of await deliver(one.reality.host, agreeable)) {
    expect(type).toBe("dev.pdpp.stream.changed");
    const connection = one.reality.connections.indexOf(data.connection_id);
    found.set(`${connection}/${data.stream}`, await changes(one, connection, data.stream, data.changes_since));
  }
  return found;
}

const textOf = (found: ReadonlyMap<string, Received[]>, reality: Reality): string[] =>
  [...found].map((one) => normalise(JSON.stringify(one), reality)).sort();

const keysOf = (records: readonly Received[]): string[] => records.map(({ id }) => id).sort();

async function compare(made: World, grant: WorldGrant, groups: readonly Step[][]): Promise<number> {
  const whole = await makeReality(made.connections);
  const visible = await makeReality(made.connections);
  let events = 0;
  try {
    await live(whole, made.before);
    await live(visible, visibleSteps(made.before, grant));
    const left = await subscriber(whole, grant);
    const right = await subscriber(visible, openGrant(grant));
    for (const steps of groups) {
      await live(whole, steps);
      await live(visible, visibleSteps(steps, grant));
      const now = steps.at(-1)!.tick;
      const seen = await told(left, now);
      const expected = await told(right, now);
      events += seen.size;
      // Reading from an event's token returns the same data in both worlds, including the envelope.
      expect(textOf(seen, whole)).toEqual(textOf(expected, visible));
      for (const { connection, stream } of streamsOf(grant)) {
        const key = `${connection}/${stream}`;
        const read = keysOf(await changes(left, connection, stream));
        // An event is sent if and only if the grant's feed has something new, and reading from the event's token
        // returns all of it.
        expect([key, seen.has(key)]).toEqual([key, read.length > 0]);
        if (seen.has(key)) expect(keysOf(seen.get(key)!)).toEqual(read);
      }
    }
    return events;
  } finally {
    await Promise.all([whole.close(), visible.close()]);
  }
}

it(`F-06 a change that the grant hides causes no event, and a change that it shows always does (seed ${seed})`, async () => {
  const worlds = fc.sample(world, { numRuns: WORLDS, seed });
  const grants = fc.sample(worldGrant, { numRuns: WORLDS, seed: seed + 1 });
  const sizes = fc.sample(fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 40, maxLength: 40 }), {
    numRuns: WORLDS,
    seed: seed + 2,
  });
  let events = 0;
  let groupsOfAll = 0;
  for (const [index, made] of worlds.entries()) {
    const rest = [...made.after];
    const groups: Step[][] = [];
    for (const size of sizes[index]!) if (rest.length > 0) groups.push(rest.splice(0, size));
    groupsOfAll += groups.length;
    events += await compare(made, grants[index]!, groups);
  }
  // Makes sure that both cases happened: some groups of changes caused an event, and some did not.
  expect(events).toBeGreaterThan(0);
  expect(groupsOfAll).toBeGreaterThan(WORLDS);
});
