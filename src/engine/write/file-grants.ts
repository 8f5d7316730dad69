// The terms of a files-lens grant: roots by id or path, and the powers for them.
import { PdppError } from "../../contract/errors.ts";
import { FILE_POWERS } from "../../contract/file-access.ts";
import type { Grant, GrantedStream } from "../../contract/grant.ts";
import type { GrantRequest } from "../../contract/grant-request.ts";
import { wholeRoot } from "../../core/file-consent.ts";
import { allPowers, rootsIn, rootsNamed } from "../../core/file-roots.ts";
import type { StreamShape } from "../../core/scope.ts";
import type { Caller } from "../caller.ts";

type FilesRequest = NonNullable<GrantRequest["files"]>;

export const grantedPowers = ({ may }: FilesRequest): NonNullable<Grant["files"]> => ({
  may: allPowers(may ?? FILE_POWERS),
});

/** Creates one grant per root. */
export function selectedRoots({ catalog }: Caller, { roots: named }: FilesRequest): Map<string, GrantedStream[]> {
  const roots = rootsIn(catalog.streams);
  if (roots.length === 0) {
    throw new PdppError("invalid_request", "there is no approved root yet", {
      param: "files",
      next_step: "Approve one first: `pdpp files roots add PATH`.",
    });
  }
  const chosen = named === undefined ? roots : named.map((name) => theRoot(roots, name));
  return new Map(chosen.map((shape) => [shape.connectionId, [wholeRoot(shape)]]));
}

function theRoot(roots: readonly StreamShape[], name: string): StreamShape {
  const [found, ...others] = rootsNamed(roots, name);
  if (found !== undefined && others.length === 0) return found;
  const problem = found === undefined ? "there is no root" : `${others.length + 1} roots are named`;
  const some = roots.slice(0, NAMED_MAX).map(({ displayName, connectionId }) => `${displayName} (${connectionId})`);
  throw new PdppError("not_found", `${problem} ${JSON.stringify(name)}; choose from ${some.join(", ")}`, {
    param: "files.roots",
    next_step: "Choose one by its connection_id, or approve another: `pdpp files roots add PATH`.",
  });
}

/** How many roots an error lists. */
const NAMED_MAX = 10;
