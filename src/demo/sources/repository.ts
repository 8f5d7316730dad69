// The Wren Box repository, as the export of a GitHub account.
import { dublin, iso } from "../clock.ts";
import type { DemoExport } from "../home.ts";
import { changes, type IssueText, issues, type Login, releases, remarks } from "../text/repository-texts.ts";

const HOST = "https://git.example";
const REPOSITORY = `${HOST}/nkeane/wren-box`;

export function repositoryExport(): DemoExport {
  return {
    key: "repository",
    display_name: "Git",
    *files() {
      for (const [name, items] of Object.entries({ repositories, issues: issueItems(), pull_requests: changeItems() }))
        yield { path: `${name}_000001.json`, content: JSON.stringify(items) };
      yield { path: "issue_comments_000001.json", content: JSON.stringify(remarks.map(remarkItem)) };
      yield { path: "releases_000001.json", content: JSON.stringify(releases.map(releaseItem)) };
    },
  };
}

const user = (login: Login): string => `${HOST}/${login}`;
const time = (at: string): string => iso(dublin(at));

const repositories = [
  {
    type: "repository",
    url: REPOSITORY,
    owner: user("nkeane"),
    name: "wren-box",
    description: "A box on a balcony that listens for birds and says which",
    private: false,
    default_branch: "main",
    created_at: time("2024-11-03 10:40"),
  },
];

const conversation = (type: string, path: string, { number, title, by, at, body, labels = [] }: IssueText) => ({
  type,
  url: `${REPOSITORY}/${path}/${number}`,
  repository: REPOSITORY,
  user: user(by),
  title,
  body,
  labels: labels.map((label) => `${REPOSITORY}/labels/${label}`),
  created_at: time(at),
});

const issueItems = (): object[] =>
  issues.map((issue) => ({
    ...conversation("issue", "issues", issue),
    closed_at: issue.closed === undefined ? null : time(issue.closed),
  }));

const changeItems = (): object[] =>
  changes.map((change) => {
    const ended = change.merged === undefined ? null : time(change.merged);
    return {
      ...conversation("pull_request", "pull", change),
      base: { ref: "main" },
      head: { ref: change.branch },
      merged_at: ended,
      closed_at: ended,
    };
  });

const remarkItem = ({ on, by, at, body }: (typeof remarks)[number], index: number): object => {
  const isChange = changes.some(({ number }) => number === on);
  const subject = `${REPOSITORY}/${isChange ? "pull" : "issues"}/${on}`;
  return {
    type: "issue_comment",
    url: `${subject}#issuecomment-${index + 1}`,
    [isChange ? "pull_request" : "issue"]: subject,
    user: user(by),
    body,
    created_at: time(at),
  };
};

const releaseItem = ({ tag, name, at, body }: (typeof releases)[number]): object => ({
  type: "release",
  url: `${REPOSITORY}/releases/tag/${tag}`,
  repository: REPOSITORY,
  user: user("nkeane"),
  name,
  tag_name: tag,
  body,
  prerelease: false,
  created_at: time(at),
  published_at: time(at),
});
