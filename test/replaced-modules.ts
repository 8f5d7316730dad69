// Replaces three modules of the code under test, in test processes but not in their threads.
import { registerHooks } from "node:module";

const REPLACED: readonly [RegExp, string][] = [
  [/^(\.\.?\/)+program-file\.ts$/, "built-program.ts"],
  [/^\.\/engine\/threads\/threaded-host\.ts$/, "shared-threads.ts"],
  [/^\.\/password-cost\.ts$/, "password-cost.ts"],
];

registerHooks({
  resolve(specifier, context, nextResolve) {
    const found = REPLACED.find(([pattern]) => pattern.test(specifier));
    return nextResolve(found === undefined ? specifier : new URL(found[1], import.meta.url).href, context);
  },
});
