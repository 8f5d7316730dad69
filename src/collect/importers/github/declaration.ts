// Declares the streams of a GitHub account export: repositories, issues, pull requests, comments, releases.
import { declareSource, field, hasMany, hasOne, recordSchema } from "../../../core/declare.ts";

const repository = field.text("Repository", "Owner and name of the repository.");
const repositoryId = field.text("Repository id", "Address of the repository.");
const author = field.text("Author", "Login of the author.");
const body = field.text("Text", "Text in Markdown.");
const reactions = field.list(
  "Reactions",
  "Reactions, and how many of each.",
  field.object({
    content: field.text("Reaction", "+1, heart, rocket …"),
    count: field.count("Count", "How many times."),
  }),
);

const conversation = {
  id: field.text("Id", "Address on GitHub."),
  repository,
  repository_id: repositoryId,
  number: field.count("Number", "Number in the repository."),
  title: field.text("Title", "Title in one line."),
  body,
  author,
  assignees: field.texts("Assignees", "Logins of the people assigned to it."),
  labels: field.texts("Labels", "Labels on it."),
  milestone: field.text("Milestone", "Address of its milestone."),
  reactions,
};
const activity = {
  count: true,
  count_distinct: ["repository", "author"],
  group_by: ["repository", "author", "state", "labels"],
};
const related = {
  in_repository: hasOne("repositories", "repository_id"),
  comments: hasMany("comments", "subject_id"),
};
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
    kind: "code",
    roles: { time: "created_at", title: "name", text: "description", "author.handle": "owner", url: "id" },
    schema: recordSchema("GitHub repository", {
      id: field.text("Id", "Address on GitHub."),
      name: field.text("Name", "Owner and name of the repository."),
      owner: field.text("Owner", "Login of the owner."),
      description: field.text("Description", "Description in one line."),
      website: field.text("Website", "Home page of the project."),
      default_branch: field.text("Default branch", "Name of the default branch."),
      is_private: field.flag("Private", "Whether the repository is private."),
      labels: field.texts("Labels", "Labels that issues can have."),
      created_at: field.instant("Created", "When it was created."),
    }),
    cursor_field: "created_at",
    related: {
      issues: hasMany("issues", "repository_id"),
      pull_requests: hasMany("pull_requests", "repository_id"),
      releases: hasMany("releases", "repository_id"),
    },
    ranges: ["created_at"],
    search: ["name", "description"],
    aggregations: { group_by: ["owner", "is_private"], group_by_time: ["created_at"] },
  },
  {
    name: "issues",
    description: "Issues of the repositories.",
    display: { label: "Issues", detail: "Issues with their text, by you and by others" },
    kind: "code",
    roles: { title: "title", text: "body", "author.handle": "author", url: "id", status: "state" },
    schema: recordSchema("GitHub issue", {
      ...conversation,
      state: field.choice("State", "Current state.", ["open", "closed"]),
      created_at: field.instant("Opened", "When it was opened."),
      closed_at: field.instant("Closed", "When it was closed."),
    }),
    time: "created_at",
    views,
    related,
    ranges: ["closed_at", "number"],
    search: ["title", "body"],
    aggregations: { ...activity, group_by_time: ["closed_at"] },
  },
  {
    name: "pull_requests",
    description: "Pull requests in the repositories.",
    display: { label: "Pull requests", detail: "Proposed changes with their text, by you and by others; not the code" },
    kind: "code",
    roles: { title: "title", text: "body", "author.handle": "author", url: "id", status: "state" },
    schema: recordSchema("GitHub pull request", {
      ...conversation,
      state: field.choice("State", "Current state.", ["open", "closed", "merged"]),
      base_branch: field.text("Into", "Branch to merge into."),
      head_branch: field.text("From", "Branch with the changes."),
      merge_commit: field.text("Merge commit", "SHA of the merge commit."),
      created_at: field.instant("Opened", "When it was opened."),
      merged_at: field.instant("Merged", "When it was merged."),
      closed_at: field.instant("Closed", "When it was closed."),
    }),
    time: "created_at",
    views,
    related,
    ranges: ["merged_at", "closed_at", "number"],
    search: ["title", "body"],
    aggregations: { ...activity, group_by_time: ["merged_at", "closed_at"] },
  },
  {
    name: "comments",
    description: "Comments on issues, pull requests, code and commits, and reviews.",
    display: { label: "Comments", detail: "What you and others wrote under issues, pull requests and code" },
    kind: "post",
    roles: { text: "body", "author.handle": "author", url: "id", reply_to: "in_reply_to" },
    schema: recordSchema("GitHub comment", {
      id: field.text("Id", "Address on GitHub."),
      kind: field.choice("Kind", "What it comments on.", ["comment", "review", "review_comment", "commit_comment"]),
      repository,
      subject_id: field.text("Subject", "Address of the issue or pull request."),
      author,
      body,
      review_state: field.text("Review", "Result of the review: approved, changes_requested …"),
      path: field.text("File", "Path of the file it refers to."),
      line: field.count("Line", "Line of the change or the file."),
      commit: field.text("Commit", "SHA of the commit it refers to."),
      in_reply_to: field.text("In reply to", "Address of the comment that it replies to."),
      reactions,
      created_at: field.instant("Written", "When it was written."),
    }),
    time: "created_at",
    views: [
      {
        id: "activity",
        label: "Who and when, no text",
        fields: ["id", "kind", "repository", "subject_id", "author", "created_at"],
      },
    ],
    search: ["body", "path"],
    aggregations: {
      count_distinct: ["author", "subject_id"],
      group_by: ["kind", "repository", "author", "review_state"],
    },
  },
  {
    name: "releases",
    description: "Releases of the repositories.",
    display: { label: "Releases", detail: "Versions and their notes" },
    kind: "code",
    roles: { title: "name", text: "body", "author.handle": "author", url: "id" },
    schema: recordSchema("GitHub release", {
      id: field.text("Id", "Address on GitHub."),
      repository,
      repository_id: repositoryId,
      name: field.text("Name", "Name of the release."),
      tag: field.text("Tag", "Git tag of the release."),
      body,
      author,
      is_prerelease: field.flag("Preview", "Whether it is marked as a prerelease."),
      created_at: field.instant("Created", "When it was created."),
      published_at: field.instant("Published", "When it was published."),
    }),
    time: "created_at",
    related: { in_repository: hasOne("repositories", "repository_id") },
    ranges: ["published_at"],
    search: ["name", "tag", "body"],
    aggregations: { group_by: ["repository", "author"] },
  },
]);
