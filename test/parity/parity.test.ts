// L-07: every case of one table gives the same facts and the same errors over MCP (HTTP and stdio), REST and the CLI.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Loose } from "../harness.ts";
import { pdpp } from "../pdpp.ts";
import { CASES, ERRORS } from "./cases.ts";
import { type Answered, overCli, overHttp, overRest, overStdio, type Surface } from "./surfaces.ts";
import { grantOf, parityWorld, type World } from "./world.ts";

let world: World;
let surfaces: Surface[];

beforeAll(async () => {
  world = await parityWorld();
  const at = { url: world.server.url, token: world.token };
  surfaces = [overRest(at), overHttp(at), await overStdio(at), overCli(at)];
});
afterAll(async () => {
  for (const surface of surfaces) await surface.close?.();
  await world.close();
});

const everywhere = async <T>(what: (surface: Surface) => Promise<T>, but?: string): Promise<Record<string, T>> => {
  const asked = surfaces.filter(({ name }) => name !== but);
  return Object.fromEntries(
    await Promise.all(asked.map(async (surface) => [surface.name, await what(surface)] as const)),
  );
};

/** Every surface must return the same as the first one. */
function same(answers: Record<string, unknown>): void {
  const [first, ...others] = Object.entries(answers);
  for (const [name, answer] of others) expect(answer, `${name} against ${first![0]}`).toEqual(first![1]);
}

const each = <T>(answers: Record<string, Answered>, take: (answer: Answered) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, take(answer)]));

async function resolved<T>(promises: Record<string, Promise<T>>): Promise<Record<string, T>> {
  return Object.fromEntries(
    await Promise.all(Object.entries(promises).map(async ([name, promise]) => [name, await promise] as const)),
  );
}

describe("L-07 the ladder", () => {
  it.each(CASES)("L-07 $rung: $name", async ({ rung, call, args }) => {
    const asked = args(world);
    const answers = await everywhere((surface) => surface.run(call, asked));
    for (const [name, { error }] of Object.entries(answers)) expect(error, name).toBeUndefined();
    expect(JSON.stringify(Object.values(answers)[0]!.facts).length, "facts to compare").toBeGreaterThan(30);
    same(each(answers, ({ facts }) => facts));
    same(each(answers, ({ next }) => next !== undefined));
    const [first] = Object.values(answers);
    if (first!.next !== undefined) {
      const following = await resolved(each(answers, ({ next }) => next!()));
      // Surfaces can differ in how much text follows, but not in where it continues.
      same(each(following, ({ facts }) => (rung === "window" ? startOf(facts!) : facts)));
    }
    if (rung === "export") {
      expect(first!.file).toBeDefined();
      same(await resolved(each(answers, ({ file }) => file!())));
    }
  });
});

it("L-07 K-12 people are the same over REST and in the CLI", async () => {
  const { url } = world.server;
  const given = await pdpp(["people", "--json", "--limit", "2", "--server", url], {
    env: { PDPP_ACCESS_TOKEN: world.token },
  });
  const { body } = await world.server.get("/v1/people", { token: world.token, query: { limit: 2 } });
  expect(body.data.map(({ name }: Loose) => name)).toEqual(["Ada Byron", "Bob Moss"]);
  // A cursor is sealed separately for each caller.
  const { next_cursor: _one, links: _own, ...printed } = given.json;
  const { next_cursor: _other, links: _others, ...answered } = body;
  expect(printed).toEqual(answered);
});

const startOf = ({ text, range, revision }: Record<string, unknown>) => ({
  text: String(text).slice(0, 300),
  start: (range as number[])[0],
  revision,
});

describe("L-07 L-14 errors", () => {
  /** Next steps that are calls and have been made. */
  const taken = new Map<string, string[]>();

  it.each(ERRORS)("L-07 L-14 $code: $name; the suggested next step works", async ({ code, call, args, notOn }) => {
    const asked = args(world);
    const answers = await everywhere((surface) => surface.run(call, asked), notOn);
    expect(each(answers, ({ error }) => error?.code)).toEqual(each(answers, () => code));
    for (const [name, { error }] of Object.entries(answers)) expect(error!.next_step, name).toMatch(/\S{3,}/);
    const steps = await everywhere(
      (surface) => surface.follow(call, asked, answers[surface.name]!.error!.next_step),
      notOn,
    );
    for (const [name, { tried, ok }] of Object.entries(steps)) {
      expect(ok, `${name}: ${tried} of ${answers[name]!.error!.next_step}`).toBe(true);
      if (tried !== undefined) taken.set(name, [...(taken.get(name) ?? []), tried]);
    }
  });

  it("L-14 at least half of the next steps are calls, and these were made", () => {
    for (const surface of surfaces)
      expect(taken.get(surface.name)!.length, surface.name).toBeGreaterThanOrEqual(Math.floor(ERRORS.length / 2));
  });

  it("L-07 grant_revoked is returned everywhere, starting with the next call", async () => {
    const token = await grantOf(world.server, world.home, world.cabin);
    const at = { url: world.server.url, token };
    const stdio = await overStdio(at);
    const before = [overRest(at), overHttp(at), stdio, overCli(at)];
    const asked = { stream: "loans" };
    for (const surface of before)
      expect((await surface.run("query_records", asked)).error, surface.name).toBeUndefined();
    const { data } = (await world.server.get("/v1/grants")).body;
    await world.server.call("POST", `/v1/grants/${data[0].grant_package_id ?? data[0].grant.grant_id}/revoke`);
    for (const surface of before)
      expect((await surface.run("query_records", asked)).error?.code, surface.name).toBe("grant_revoked");
    await stdio.close?.();
  });
});
