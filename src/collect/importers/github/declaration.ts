// What a GitHub account export holds, declared: repositories, issues, pull requests, comments, releases.
import type { JsonSchema } from "../../../contract/declaration.ts";
import {
  choice,
  count,
  declareSource,
  flag,
  instant,
  list,
  object,
  ranges,
  recordSchema,
  selectable,
  text,
} from "../declare.ts";

const repository = text("Repository", "Owner and name.");
const repositoryId = text("Repository id", "Address of the repository.");
const author = text("Author", "Login of who wrote it.");
const body = text("Text", "Markdown, as written.");
const names = (title: string, description: string): JsonSchema => list(title, description, { type: "string" });
const reactions = list(
  "Reactions",
  "Which and how often.",
  object({ content: text("Reaction", "+1, heart, rocket …"), count: count("Count", "How often.") }),
);

const conversation = {
  id: text("Id", "Its address."),
  repository,
  repository_id: repositoryId,
  number: count("Number", "In the repository."),
  title: text("Title", "In one line."),
  body,
  author,
  assignees: names("Assignees", "Logins of those who take care of it."),
  labels: names("Labels", "That it was given."),
  milestone: text("Milestone", "Address of its milestone."),
  reactions,
};
const activity = {
  count: true,
  count_distinct: ["repository", "author"],
  group_by: ["repository", "author", "state", "labels"],
  min: ["created_at"],
  max: ["created_at"],
};
const relations = [
  { name: "in_repository", stream: "repositories", foreign_key: "repository_id", cardinality: "has_one" as const },
  { name: "comments", stream: "comments", foreign_key: "subject_id", cardinality: "has_many" as const },
];
const expand = [{ name: "in_repository" }, { name: "comments", default_limit: 10, max_limit: 50 }];
const views = [
  {
    id: "titles",
    label: "Titles and states, no text",
    fields: ["id", "repository", "number", "title", "state", "created_at"],
  },
];

export const githubDeclaration = declareSource("github", "GitHub", [
  {
    name: "repositories",
    description: "Repositories of the account.",
    display: { label: "Repositories", detail: "Names and descriptions of your repositories, private ones included" },
    semantics: "mutable_state",
    schema: recordSchema("GitHub repository", {
      id: text("Id", "Its address."),
      name: text("Name", "Owner and name."),
      owner: text("Owner", "Login."),
      description: text("Description", "In one line."),
      website: text("Website", "Its home page."),
      default_branch: text("Default branch", "Name."),
      is_private: flag("Private", "Whether only some may see it."),
      labels: names("Labels", "That issues can be given."),
      created_at: instant("Created", "When it was made."),
    }),
    primary_key: ["id"],
    cursor_field: "created_at",
    selection: selectable,
    relationships: [
      { name: "issues", stream: "issues", foreign_key: "repository_id", cardinality: "has_many" },
      { name: "pull_requests", stream: "pull_requests", foreign_key: "repository_id", cardinality: "has_many" },
      { name: "releases", stream: "releases", foreign_key: "repository_id", cardinality: "has_many" },
    ],
    query: {
      range_filters: ranges("created_at"),
      expand: [
        { name: "issues", default_limit: 10, max_limit: 50 },
        { name: "pull_requests", default_limit: 10, max_limit: 50 },
        { name: "releases", default_limit: 10, max_limit: 50 },
      ],
      search: { lexical_fields: ["name", "description"] },
      aggregations: { count: true, group_by: ["owner", "is_private"], group_by_time: ["created_at"] },
    },
  },
  {
    name: "issues",
    description: "Issues of the repositories.",
    display: { label: "Issues", detail: "Issues with their text, by you and by others" },
    semantics: "mutable_state",
    schema: recordSchema("GitHub issue", {
      ...conversation,
      state: choice("State", "Where it stands.", ["open", "closed"]),
      created_at: instant("Opened", "When it was written."),
      closed_at: instant("Closed", "When it was closed."),
    }),
    primary_key: ["id"],
    cursor_field: "created_at",
    consent_time_field: "created_at",
    selection: selectable,
    views,
    relationships: relations,
    query: {
      range_filters: ranges("created_at", "closed_at", "number"),
      expand,
      search: { lexical_fields: ["title", "body"] },
      aggregations: { ...activity, group_by_time: ["created_at", "closed_at"] },
    },
  },
  {
    name: "pull_requests",
    description: "Pull requests of the repositories.",
    display: { label: "Pull requests", detail: "Proposed changes with their text, by you and by others; not the code" },
    semantics: "mutable_state",
    schema: recordSchema("GitHub pull request", {
      ...conversation,
      state: choice("State", "Where it stands.", ["open", "closed", "merged"]),
      base_branch: text("Into", "Branch that it is to change."),
      head_branch: text("From", "Branch with the change."),
      merge_commit: text("Merge commit", "SHA."),
      created_at: instant("Opened", "When it was written."),
      merged_at: instant("Merged", "When it was merged."),
      closed_at: instant("Closed", "When it was closed."),
    }),
    primary_key: ["id"],
    cursor_field: "created_at",
    consent_time_field: "created_at",
    selection: selectable,
    views,
    relationships: relations,
    query: {
      range_filters: ranges("created_at", "merged_at", "closed_at", "number"),
      expand,
      search: { lexical_fields: ["title", "body"] },
      aggregations: { ...activity, group_by_time: ["created_at", "merged_at", "closed_at"] },
    },
  },
  {
    name: "comments",
    description: "Comments on issues, pull requests, code and commits, and reviews.",
    display: { label: "Comments", detail: "What you and others wrote under issues, pull requests and code" },
    semantics: "mutable_state",
    schema: recordSchema("GitHub comment", {
      id: text("Id", "Its address."),
      kind: choice("Kind", "What it is written under.", ["comment", "review", "review_comment", "commit_comment"]),
      repository,
      subject_id: text("Subject", "Address of the issue or pull request."),
      author,
      body,
      review_state: text("Review", "What the review came to: approved, changes_requested …"),
      path: text("File", "That it speaks of."),
      line: count("Line", "Of the change or the file."),
      commit: text("Commit", "SHA that it speaks of."),
      in_reply_to: text("Answers", "Address of the comment that it answers."),
      reactions,
      created_at: instant("Written", "When it was written."),
    }),
    primary_key: ["id"],
    cursor_field: "created_at",
    consent_time_field: "created_at",
    selection: selectable,
    views: [
      {
        id: "activity",
        label: "Who and when, no text",
        fields: ["id", "kind", "repository", "subject_id", "author", "created_at"],
      },
    ],
    query: {
      range_filters: ranges("created_at"),
      search: { lexical_fields: ["body", "path"] },
      aggregations: {
        count: true,
        count_distinct: ["author", "subject_id"],
        group_by: ["kind", "repository", "author", "review_state"],
        group_by_time: ["created_at"],
      },
    },
  },
  {
    name: "releases",
    description: "Releases of the repositories.",
    display: { label: "Releases", detail: "Versions and their notes" },
    semantics: "mutable_state",
    schema: recordSchema("GitHub release", {
      id: text("Id", "Its address."),
      repository,
      repository_id: repositoryId,
      name: text("Name", "As it was called."),
      tag: text("Tag", "In git."),
      body,
      author,
      is_prerelease: flag("Preview", "Whether it was marked as not ready."),
      created_at: instant("Created", "When it was made."),
      published_at: instant("Published", "When it was shown."),
    }),
    primary_key: ["id"],
    cursor_field: "created_at",
    consent_time_field: "created_at",
    selection: selectable,
    relationships: [
      { name: "in_repository", stream: "repositories", foreign_key: "repository_id", cardinality: "has_one" },
    ],
    query: {
      range_filters: ranges("created_at", "published_at"),
      expand: [{ name: "in_repository" }],
      search: { lexical_fields: ["name", "tag", "body"] },
      aggregations: { count: true, group_by: ["repository", "author"], group_by_time: ["created_at"] },
    },
  },
]);
