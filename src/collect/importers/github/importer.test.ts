// A GitHub account export, written by hand in GitHub's migration format, because no real export was available.
import { expect, it } from "vitest";
import { parseDeclaration } from "../../../core/declaration-check.ts";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostileTogether, repeatsAndResumes } from "../hostile.fixture.ts";
import { githubDeclaration } from "./declaration.ts";
import { githubImporter as importer } from "./importer.ts";

const repo = "https://github.com/nora/till";
const user = (login: string) => `https://github.com/${login}`;
const files: Record<string, unknown> = {
  "issue_comments_000001.json": [
    {
      type: "issue_comment",
      url: `${repo}/issues/1#issuecomment-5`,
      issue: `${repo}/issues/1`,
      user: user("ann"),
      body: "Me too",
      formatter: "markdown",
      reactions: [],
      created_at: "2020-01-03T10:00:00Z",
    },
    {
      type: "issue_comment",
      url: `${repo}/pull/2#issuecomment-6`,
      pull_request: `${repo}/pull/2`,
      user: user("nora"),
      body: "Done",
      reactions: [],
      created_at: "2020-01-04T10:00:00Z",
    },
  ],
  "issue_events_000001.json": [{ type: "issue_event", url: `${repo}/issues/1#event-1`, event: "closed" }],
  "issues_000001.json": [
    {
      type: "issue",
      url: `${repo}/issues/1`,
      repository: repo,
      user: user("ann"),
      title: "Rounds down",
      body: "5.5 becomes 5",
      assignee: user("nora"),
      assignees: [user("nora")],
      milestone: null,
      labels: [`${repo}/labels/help%20wanted`],
      reactions: [
        { user: user("bo"), content: "+1", created_at: "2020-01-02T10:00:00Z" },
        { user: user("cy"), content: "+1", created_at: "2020-01-02T11:00:00Z" },
      ],
      closed_at: "2020-01-05T10:00:00Z",
      created_at: "2020-01-01T10:00:00+01:00",
    },
    { type: "issue", title: "no address" },
    7,
  ],
  "pull_request_reviews_000001.json": [
    {
      type: "pull_request_review",
      url: `${repo}/pull/2/files#pullrequestreview-1`,
      pull_request: `${repo}/pull/2`,
      user: user("ann"),
      body: null,
      head_sha: "abc",
      state: 40,
      created_at: "2020-01-04T12:00:00Z",
      submitted_at: "2020-01-04T13:00:00Z",
    },
  ],
  "pull_requests_000001.json": [
    {
      type: "pull_request",
      url: `${repo}/pull/2`,
      repository: repo,
      user: user("nora"),
      title: "Round properly",
      body: "",
      base: { ref: "main", sha: "1" },
      head: { ref: "fix", sha: "2" },
      labels: [],
      merged_at: "2020-01-05T09:00:00Z",
      closed_at: "2020-01-05T09:00:00Z",
      created_at: "2020-01-04T09:00:00Z",
    },
  ],
  "releases_000001.json": [
    {
      type: "release",
      url: `${repo}/releases/tag/v1`,
      repository: repo,
      user: user("nora"),
      name: "One",
      tag_name: "v1",
      body: "First",
      prerelease: false,
      created_at: "2020-02-01T00:00:00Z",
      published_at: "2020-02-01T01:00:00Z",
    },
  ],
  "repositories_000001.json": [
    {
      type: "repository",
      url: repo,
      owner: user("nora"),
      name: "till",
      description: "A till",
      private: true,
      default_branch: "main",
      labels: [{ url: `${repo}/labels/bug`, name: "bug", color: "f00" }],
      created_at: "2019-12-01T00:00:00Z",
    },
  ],
  "schema.json": { version: "1.2.0", github_sha: "x" },
};
const entries = Object.entries(files).map(([name, content]) => memoryEntry(name, JSON.stringify(content, null, 2)));

it("has a valid declaration", () => expect(() => parseDeclaration(githubDeclaration)).not.toThrow());

it("P-05 imports repositories, issues, pull requests, comments, reviews and releases", async () => {
  const events = await collect(importer, entries);
  const found = (stream: string) => recordsOf(events, stream).map(({ data }) => data);
  const of = { repository: "nora/till", repository_id: repo };
  expect(found("repositories")).toEqual([
    {
      id: repo,
      name: "nora/till",
      owner: "nora",
      description: "A till",
      default_branch: "main",
      is_private: true,
      labels: ["bug"],
      created_at: "2019-12-01T00:00:00.000Z",
    },
  ]);
  expect(found("issues")).toEqual([
    {
      id: `${repo}/issues/1`,
      ...of,
      number: 1,
      title: "Rounds down",
      body: "5.5 becomes 5",
      author: "ann",
      assignees: ["nora"],
      labels: ["help wanted"],
      reactions: [{ content: "+1", count: 2 }],
      state: "closed",
      created_at: "2020-01-01T09:00:00.000Z",
      closed_at: "2020-01-05T10:00:00.000Z",
    },
  ]);
  expect(found("pull_requests")).toEqual([
    {
      id: `${repo}/pull/2`,
      ...of,
      number: 2,
      title: "Round properly",
      author: "nora",
      state: "merged",
      base_branch: "main",
      head_branch: "fix",
      created_at: "2020-01-04T09:00:00.000Z",
      merged_at: "2020-01-05T09:00:00.000Z",
      closed_at: "2020-01-05T09:00:00.000Z",
    },
  ]);
  expect(found("comments")).toEqual([
    {
      id: `${repo}/issues/1#issuecomment-5`,
      kind: "comment",
      repository: "nora/till",
      subject_id: `${repo}/issues/1`,
      author: "ann",
      body: "Me too",
      created_at: "2020-01-03T10:00:00.000Z",
    },
    {
      id: `${repo}/pull/2#issuecomment-6`,
      kind: "comment",
      repository: "nora/till",
      subject_id: `${repo}/pull/2`,
      author: "nora",
      body: "Done",
      created_at: "2020-01-04T10:00:00.000Z",
    },
    {
      id: `${repo}/pull/2/files#pullrequestreview-1`,
      kind: "review",
      repository: "nora/till",
      subject_id: `${repo}/pull/2`,
      author: "ann",
      review_state: "approved",
      commit: "abc",
      created_at: "2020-01-04T13:00:00.000Z",
    },
  ]);
  expect(found("releases")).toMatchObject([
    {
      id: `${repo}/releases/tag/v1`,
      ...of,
      tag: "v1",
      name: "One",
      body: "First",
      author: "nora",
      is_prerelease: false,
    },
  ]);
  expect(events.filter(({ kind }) => kind === "error")).toMatchObject([
    { message: "it has no address" },
    { message: "it has no address" },
  ]);
  expect(events.filter(({ kind }) => kind === "skip")).toMatchObject([
    { reason: "log of who labelled, closed or mentioned what" },
    { reason: "it contains only the version of the export" },
  ]);
  expect((await importer.plan({ name: "x", entries }, {})).account).toEqual({ key: "nora", name: "GitHub (nora)" });
});

it("P-05 files are recognised by name and first item", () => {
  for (const [name, content] of Object.entries(files)) {
    expect(recognised(importer, `export/${name}`, JSON.stringify(content))).toMatchObject({ group: "export" });
  }
  expect(recognised(importer, "issues_000001.json", '[{"id": 1}]')).toBeUndefined();
  expect(recognised(importer, "orders_000001.json", '[{"type":"order","url":"https://x.example/"}]')).toBeUndefined();
  expect(recognised(importer, "schema.json", '{"$schema": "x"}')).toBeUndefined();
});

it("P-05 produces the same records in every run, resumes from every checkpoint, and matches its declaration", async () => {
  const many = Array.from({ length: 2500 }, (_, n) => ({
    ...(files["issues_000001.json"] as object[])[0],
    url: `${repo}/issues/${n}`,
  }));
  const long = [memoryEntry("issues_000002.json", JSON.stringify(many)), ...entries];
  await repeatsAndResumes(importer, long);
  expect(await refusals(importer, long)).toEqual([]);
});

it("SECURITY row 16: truncated and damaged files never crash the parser", async () =>
  hostileTogether(importer, entries));
