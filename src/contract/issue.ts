// Turns the first problem that zod found into one plain sentence about one value (O-08).
import { z } from "zod";

export interface Issue {
  path: PropertyKey[];
  message: string;
  /** The unknown fields. */
  keys?: string[];
}

/**
 * Returns the first problem. In a union, it is the problem of the alternative that matched furthest, because that
 * alternative was probably meant.
 */
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

// Sets the messages for every schema without its own. Every file that shows an issue imports this file, so they apply
// in every thread.
z.config({ customError: (issue) => sentenceOf(issue as RawIssue) });

type RawIssue = z.core.$ZodRawIssue;

const TYPES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
  undefined: "left out",
};

const FORMS: Record<string, string> = {
  datetime: "a time such as 2025-05-31T09:00:00Z",
  date: "a date such as 2025-05-31",
  url: "an address such as https://example.org",
  email: "an email address",
  base64: "Base64 text",
  base64url: "Base64url text",
  json_string: "JSON",
};

function sentenceOf(issue: RawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? "is missing"
        : `must be ${TYPES[issue.expected] ?? `of type ${issue.expected}`}`;
    case "too_small":
      return bound(issue.origin, "at least", Number(issue.minimum), issue.inclusive === false);
    case "too_big":
      return bound(issue.origin, "at most", Number(issue.maximum), issue.inclusive === false);
    case "invalid_format":
      if (issue.format === "starts_with") return `must begin with ${JSON.stringify(issue.prefix)}`;
      return issue.format in FORMS ? `must be ${FORMS[issue.format]}` : "does not have the expected format";
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${shown(issue.values[0])}`
        : `must be one of ${issue.values.map(shown).join(", ")}`;
    case "unrecognized_keys":
      return `${issue.keys.map((key) => JSON.stringify(key)).join(", ")} ${issue.keys.length === 1 ? "is" : "are"} not recognised`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_key":
      return "has a key that is not allowed";
    default:
      return "does not match any accepted form";
  }
}

const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function bound(origin: string, word: "at least" | "at most", limit: number, exclusive: boolean): string {
  if (origin === "string") {
    if (word === "at least" && limit === 1) return "must not be empty";
    return `must have ${word} ${limit} character${limit === 1 ? "" : "s"}`;
  }
  if (origin === "array" || origin === "set" || origin === "record" || origin === "object") {
    if (word === "at least" && limit === 1) return "must not be empty";
    return `must have ${word} ${limit} item${limit === 1 ? "" : "s"}`;
  }
  if (exclusive) return `must be ${word === "at least" ? "more" : "less"} than ${limit}`;
  return `must be ${word} ${limit}`;
}
