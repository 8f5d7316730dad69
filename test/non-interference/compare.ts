// Compares results under a grant in a full world with those in a world where the hidden data does not exist.
import fc from "fast-check";
import { type Call, callUnder } from "./calls.ts";
import { type Ask, answerTo, changesToken, grantToken, live, makeReality, type Reality } from "./reader.ts";
import { openGrant, visibleSteps, type World, type WorldGrant, world, worldGrant } from "./world.ts";

export interface Difference {
  grant: WorldGrant;
  call: Call;
  whole: string;
  visible: string;
}

export interface CompareOptions {
  seed: number;
  worlds: number;
  grantsPerWorld: number;
  callsPerGrant: number;
  /** Makes only calls of this kind. */
  only?: Call["kind"];
  /** Runs the server's background work after a write. */
  settle?: (reality: Reality) => Promise<void>;
  /** Connects a caller to a world. */
  connect: (reality: Reality, token: string) => Promise<Connected>;
}

export interface Connected {
  ask: Ask;
  close(): Promise<void>;
}

/** Runs the comparison. Returns the number of compared calls and the first difference, if any, with its seed. */
export async function compareWorlds(
  options: CompareOptions,
): Promise<{ cases: number; difference?: Difference & { world: World } }> {
  const sample = <T>(arbitrary: fc.Arbitrary<T>, count: number, salt: number): T[] =>
    fc.sample(arbitrary, { numRuns: count, seed: options.seed + salt });
  let cases = 0;
  for (const [index, made] of sample(world, options.worlds, 0).entries()) {
    const grants = sample(worldGrant, options.grantsPerWorld, 1000 + index);
    const calls = grants.map((grant, number) =>
      sample(
        callUnder(grant).filter(({ kind }) => options.only === undefined || kind === options.only),
        options.callsPerGrant,
        100_000 + index * 100 + number,
      ),
    );
    const result = await compareOne(made, grants, calls, options);
    cases += result.cases;
    if (result.difference) return { cases, difference: { ...result.difference, world: made } };
  }
  return { cases };
}

async function compareOne(
  made: World,
  grants: WorldGrant[],
  calls: Call[][],
  { connect, settle = async () => undefined }: CompareOptions,
) {
  const whole = await makeReality(made.connections);
  const visible: Reality[] = [];
  let cases = 0;
  try {
    await live(whole, made.before);
    await settle(whole);
    const sides: { grant: WorldGrant; other: Reality; left: Connected; right: Connected }[] = [];
    for (const grant of grants) {
      const other = await makeReality(made.connections);
      visible.push(other);
      // A connection that the grant does not include does not exist in that world.
      for (const [index, connection_id] of other.connections.entries()) {
        if (grant.selections.some(({ connection }) => connection === index)) continue;
        await other.host.call("deleteConnection", { connection_id }, { home: true });
      }
      await live(other, visibleSteps(made.before, grant));
      await settle(other);
      const left = await connect(whole, await grantToken(whole, grant));
      const right = await connect(other, await grantToken(other, openGrant(grant)));
      sides.push({ grant, other, left, right });
    }
    // Callers that read changes continue from the position before the second half of the history.
    const tokens: { one: Call; left?: string; right?: string }[] = [];
    for (const [index, { other, left, right }] of sides.entries()) {
      for (const one of calls[index]!.filter(({ kind }) => kind === "changes")) {
        const { stream, connection_id } = one.query;
        const query = { stream, ...(connection_id === undefined ? {} : { connection_id }) };
        tokens.push({
          one,
          left: await changesToken(left.ask, whole, query),
          right: await changesToken(right.ask, other, query),
        });
      }
    }
    const compare = async (side: (typeof sides)[number], one: Call, since?: { left?: string; right?: string }) => {
      cases++;
      const seen = await answerTo(side.left.ask, whole, one, since?.left);
      const expected = await answerTo(side.right.ask, side.other, one, since?.right);
      return seen === expected ? undefined : { grant: side.grant, call: one, whole: seen, visible: expected };
    };
    for (const [index, side] of sides.entries()) {
      for (const one of calls[index]!) {
        const difference = await compare(side, one);
        if (difference) return { cases, difference };
      }
    }
    await live(whole, made.after);
    await settle(whole);
    for (const [index, side] of sides.entries()) {
      await live(side.other, visibleSteps(made.after, side.grant));
      await settle(side.other);
      for (const one of calls[index]!) {
        const token = tokens.find((candidate) => candidate.one === one);
        const difference =
          (await compare(side, one)) ?? (token?.left && token.right ? await compare(side, one, token) : undefined);
        if (difference) return { cases, difference };
      }
    }
    for (const { left, right } of sides) await Promise.all([left.close(), right.close()]);
    return { cases };
  } finally {
    await Promise.all([whole, ...visible].map((reality) => reality.close()));
  }
}
