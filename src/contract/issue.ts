// The first problem that zod found, as one sentence about one place.
import type { z } from "zod";

export interface Issue {
  path: PropertyKey[];
  message: string;
  /** Members that nothing takes. */
  keys?: string[];
}

/** The first fault. Of a union it is the fault of the alternative that got furthest: the others were not meant. */
export function firstIssue(error: z.ZodError): Issue {
  return clearest(error.issues[0]!);
}

function clearest(issue: z.core.$ZodIssue): Issue {
  const own: Issue = {
    path: issue.path,
    message: issue.message,
    ...(issue.code === "unrecognized_keys" ? { keys: issue.keys } : {}),
  };
  if (issue.code !== "invalid_union") return own;
  const inner = issue.errors.flatMap(([first]) => (first === undefined ? [] : [clearest(first)]));
  const deepest = inner.sort((one, other) => other.path.length - one.path.length)[0];
  return deepest === undefined || deepest.path.length === 0
    ? own
    : { ...deepest, path: [...issue.path, ...deepest.path] };
}
