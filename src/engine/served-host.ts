// The engine in a serving process: checks before a call, effects after it, and the parts of a result that only this
// process has.
import { callNamed } from "./calls/calls.ts";
import type { Effect, EffectHandlers, Services } from "./calls/services.ts";
import { changeAnswer, type EngineHost, hostAround } from "./host.ts";

/** Effects run after the commit, in the order of the handlers. The call returns when they are done. */
export function servedHost(host: EngineHost, services: Services, handlers: readonly EffectHandlers[]): EngineHost {
  async function follow(effect: Effect, query: object): Promise<void> {
    for (const { [effect]: handle } of handlers) await handle?.(query as never);
  }
  return hostAround(host, (next) => async (name, query, credential, requestId) => {
    const { before, complete, effects = [], access } = callNamed(name);
    if (before !== undefined) {
      await host.call("admit", { owner: access === "owner" }, credential, requestId);
      await before(services, query);
    }
    const text = await next(name, query, credential, requestId);
    for (const effect of effects) await follow(effect, query);
    return complete === undefined ? text : changeAnswer(text, (answer) => complete(services, answer, query));
  });
}
