// Converts items of a GitHub export to records. People, repositories, labels and milestones are identified by their
// URLs.
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { isoInstant } from "../iso-instant.ts";
import { countIn, flagIn, isObject, objectIn, objectsIn, present, textIn, textsIn } from "../json-fields.ts";
import { keptText } from "../kept-text.ts";

interface ItemKind {
  stream: "repositories" | "issues" | "pull_requests" | "comments" | "releases";
  data: (item: JsonObject, url: string) => JsonObject;
}

/** Keyed by the start of the file name, as in `issues_000001.json`. */
export const KINDS: Record<string, ItemKind> = {
  repositories: { stream: "repositories", data: repository },
  issues: { stream: "issues", data: (item, url) => ({ ...conversation(item, url), ...stateOf(item) }) },
  pull_requests: { stream: "pull_requests", data: pullRequest },
  issue_comments: { stream: "comments", data: (item, url) => comment(item, url, "comment") },
  pull_request_reviews: { stream: "comments", data: (item, url) => comment(item, url, "review") },
  pull_request_review_comments: { stream: "comments", data: (item, url) => comment(item, url, "review_comment") },
  commit_comments: { stream: "comments", data: (item, url) => comment(item, url, "commit_comment") },
  releases: { stream: "releases", data: release },
};

const timeIn = (item: JsonObject, name: string): string | undefined => isoInstant(textIn(item, name));

/** Splits the path of a URL such as `https://github.com/nora/till/issues/3` into its parts. */
function partsOf(address: string | undefined): string[] {
  const path = address === undefined ? undefined : URL.parse(address)?.pathname;
  return (path ?? "").split("/").filter((part) => part !== "");
}

/** Returns the last part of a URL: a login, or a label. */
export function nameIn(value: JsonValue | undefined): string | undefined {
  const last = typeof value === "string" ? partsOf(value).at(-1) : undefined;
  if (last === undefined) return undefined;
  try {
    return decodeURIComponent(last).toWellFormed();
  } catch {
    return last.toWellFormed();
  }
}

const namesIn = (item: JsonObject, name: string): string[] | undefined => {
  const names = textsIn(item, name).flatMap((address) => nameIn(address) ?? []);
  return names.length === 0 ? undefined : names;
};

const slugOf = (address: string | undefined): string | undefined => {
  const [owner, name] = partsOf(address);
  return owner === undefined || name === undefined ? undefined : `${owner}/${name}`;
};

function reactionsIn(item: JsonObject): JsonObject[] | undefined {
  const counts = new Map<string, number>();
  for (const reaction of objectsIn(item, "reactions")) {
    const content = textIn(reaction, "content");
    if (content !== undefined) counts.set(content, (counts.get(content) ?? 0) + 1);
  }
  return counts.size === 0 ? undefined : [...counts].map(([content, count]) => ({ content, count }));
}

function bodyIn(item: JsonObject): JsonObject {
  // GitHub's own limit is 65,536 characters, so anything longer is damaged.
  const { is_cut: _cut, ...kept } = keptText("body", textIn(item, "body"));
  return kept;
}

function repository(item: JsonObject, url: string): JsonObject {
  const labels = objectsIn(item, "labels").flatMap((label) => textIn(label, "name") ?? []);
  return present({
    id: url,
    name: slugOf(url) ?? textIn(item, "name"),
    owner: nameIn(item.owner),
    description: textIn(item, "description"),
    website: textIn(item, "website"),
    default_branch: textIn(item, "default_branch"),
    is_private: flagIn(item, "private"),
    labels: labels.length === 0 ? undefined : labels,
    created_at: timeIn(item, "created_at"),
  });
}

function conversation(item: JsonObject, url: string): JsonObject {
  const number = Number(partsOf(url)[3]);
  const assignee = nameIn(item.assignee);
  return {
    ...present({
      id: url,
      repository: slugOf(textIn(item, "repository") ?? url),
      repository_id: textIn(item, "repository"),
      number: countIn(item, "number") ?? (Number.isSafeInteger(number) && number >= 0 ? number : undefined),
      title: textIn(item, "title"),
      author: nameIn(item.user),
      assignees: namesIn(item, "assignees") ?? (assignee === undefined ? undefined : [assignee]),
      labels: namesIn(item, "labels"),
      milestone: textIn(item, "milestone"),
      reactions: reactionsIn(item),
      created_at: timeIn(item, "created_at"),
    }),
    ...bodyIn(item),
  };
}

function stateOf(item: JsonObject): JsonObject {
  const closed = timeIn(item, "closed_at");
  return closed === undefined ? { state: "open" } : { state: "closed", closed_at: closed };
}

function pullRequest(item: JsonObject, url: string): JsonObject {
  const merged = timeIn(item, "merged_at");
  return {
    ...conversation(item, url),
    ...stateOf(item),
    ...present({
      base_branch: textIn(objectIn(item, "base"), "ref"),
      head_branch: textIn(objectIn(item, "head"), "ref"),
      merge_commit: textIn(item, "merge_commit_sha"),
      merged_at: merged,
    }),
    ...(merged === undefined ? {} : { state: "merged" }),
  };
}

/** Exports contain GitHub's numeric codes. */
const REVIEW_STATES: Record<string, string> = {
  0: "pending",
  1: "commented",
  30: "changes_requested",
  40: "approved",
  50: "dismissed",
};

function comment(item: JsonObject, url: string, kind: string): JsonObject {
  const subject = textIn(item, "issue") ?? textIn(item, "pull_request");
  const state = typeof item.state === "number" ? REVIEW_STATES[item.state] : textIn(item, "state");
  return {
    ...present({
      id: url,
      kind,
      repository: slugOf(textIn(item, "repository") ?? subject ?? url),
      subject_id: subject,
      author: nameIn(item.user),
      review_state: kind === "review" ? state : undefined,
      path: textIn(item, "path"),
      line: countIn(item, "position"),
      commit: textIn(item, "commit_id") ?? textIn(item, "head_sha"),
      in_reply_to: textIn(item, "in_reply_to"),
      reactions: reactionsIn(item),
      created_at: timeIn(item, "submitted_at") ?? timeIn(item, "created_at"),
    }),
    ...bodyIn(item),
  };
}

function release(item: JsonObject, url: string): JsonObject {
  return {
    ...present({
      id: url,
      repository: slugOf(textIn(item, "repository") ?? url),
      repository_id: textIn(item, "repository"),
      name: textIn(item, "name"),
      tag: textIn(item, "tag_name"),
      author: isObject(item.user) ? textIn(item.user, "login") : nameIn(item.user),
      is_prerelease: flagIn(item, "prerelease"),
      created_at: timeIn(item, "created_at"),
      published_at: timeIn(item, "published_at"),
    }),
    ...bodyIn(item),
  };
}
