// Lists and citations in the docs: requirements, errors, links, pictures, decisions, and everything that code and docs
// cite.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ERRORS } from "../../src/contract/errors.ts";
import { PICTURES } from "../browser/pictures.ts";
import { exists, filesIn, read, root } from "../repository.ts";

describe("docs/work/requirements.md", () => {
  const ID = /[EFGLSPXTCDKIRVOW]-\d{2}/g;
  const rows = read("docs/work/requirements.md")
    .split("\n")
    .flatMap((line) => {
      const [, id, , status] = /^\| ([EFGLSPXTCDKIRVOW]-\d{2}) \| (.+) \| (\w+) \| .+ \|$/.exec(line) ?? [];
      return id === undefined ? [] : [{ id, status: status! }];
    });
  /** Ids at the start of a string in a test file. Test titles start with the ids of the requirements that they prove. */
  const titled = new Set(
    [...filesIn("src", /\.test\.tsx?$/), ...filesIn("test", /\.tsx?$/)].flatMap((path) =>
      [...read(path).matchAll(/["'`]((?:[EFGLSPXTCDKIRVOW]-\d{2}\b[,:\s]*)+)/g)].flatMap(
        (match) => match[1]!.match(ID) ?? [],
      ),
    ),
  );

  it("lists every id once, with a status", () => {
    const listed = rows.map(({ id }) => id);
    expect(listed).toEqual([...new Set(listed)]);
    expect(rows.filter(({ status }) => !["proven", "open", "later"].includes(status))).toEqual([]);
    const counts = Object.groupBy(listed, (id) => id[0]!);
    expect(Object.fromEntries(Object.entries(counts).map(([letter, ids]) => [letter, ids!.length]))).toMatchObject({
      E: 26,
      F: 6,
      G: 12,
      L: 14,
      S: 24,
      P: 9,
      X: 13,
    });
  });

  it("marks an id as proven only if it is in a test title", () => {
    expect(rows.filter(({ id, status }) => status === "proven" && !titled.has(id))).toEqual([]);
  });

  it("lists every id that is in a test title", () => {
    const known = new Set(rows.map(({ id }) => id));
    expect([...titled].filter((id) => !known.has(id))).toEqual([]);
  });
});

describe("docs/build/errors.md", () => {
  const sections = read("docs/build/errors.md").split(/^### /m).slice(1);

  it("lists every error code with its status, cause and remedy", () => {
    const told = sections.map((section) => {
      const [, name, status] = /^`(\w+)` · (\d{3})\n/.exec(section) ?? [];
      return [name, Number(status)];
    });
    const table = Object.entries(ERRORS).map(([name, { status }]) => [name, status]);
    expect(told.sort()).toEqual(table.sort());
    for (const section of sections) expect(section).toMatch(/^[^\n]+\n\n\S[\s\S]*\n\n\*\*Do:\*\* \S/);
    for (const section of sections) {
      const { next } = ERRORS[/\w+/.exec(section)![0] as keyof typeof ERRORS];
      expect(section).toContain(`\n**Do:** ${next}\n`);
    }
  });
});

describe("documents", () => {
  const documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", ...filesIn("docs", /\.md$/)];

  it("link only to existing targets", () => {
    const broken = documents.flatMap((path) =>
      [...read(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
        .map((match) => join(dirname(path), match[1]!))
        .filter((target) => !exists(target))
        .map((target) => `${path} → ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it("W-04 show every picture that `npm run screenshots` makes, and no other", () => {
    const shown = documents.flatMap((path) =>
      [...read(path).matchAll(/!\[[^\]]+\]\((?!https?:)([^)]+)\)/g)].map((match) => join(dirname(path), match[1]!)),
    );
    const made = Object.keys(PICTURES).map((name) => `docs/screenshots/${name}.png`);
    expect([...new Set(shown)].sort()).toEqual(made.sort());
    expect(filesIn("docs/screenshots", /./).sort()).toEqual(made);
  });

  it("mention only files that exist", () => {
    const missing = documents.flatMap((path) =>
      [...read(path).matchAll(/`(?:npm test -- )?((?:src|test|scripts|bench|docs)\/[a-z0-9./-]+)`/g)]
        .filter((match) => !exists(match[1]!))
        .map((match) => `${path} → ${match[1]}`),
    );
    expect(missing).toEqual([]);
  });

  it("give every decision a unique number", () => {
    const numbers = filesIn("docs/work/decisions", /^\d{4}-.*\.md$/).map((path) =>
      path.slice("docs/work/decisions/".length).slice(0, 4),
    );
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
  });

  it("keep decisions short", () => {
    expect(filesIn("docs/work/decisions", /\.md$/).filter((path) => read(path).split("\n").length - 1 > 40)).toEqual(
      [],
    );
  });
});

describe("D-07 every citation in code and docs exists", () => {
  const texts = [
    ...["src", "test", "bench", "scripts"].flatMap((folder) => filesIn(folder, /\.(ts|js|css|md)$/)),
    ...["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"],
    ...filesIn("docs", /\.md$/),
  ].filter((path) => path !== "test/documents/references.test.ts" && !/^test\/samples\//.test(path));
  /** Returns the citations that match a pattern. Its last group is the name. */
  const cited = (pattern: RegExp): { path: string; name: string }[] =>
    texts.flatMap((path) => [...read(path).matchAll(pattern)].map((match) => ({ path, name: match.at(-1)! })));
  const notIn = (known: ReadonlySet<string>, found: { path: string; name: string }[]): string[] => {
    expect(found.length).toBeGreaterThan(0);
    return found.filter(({ name }) => !known.has(name)).map(({ path, name }) => `${path}: ${name}`);
  };

  it("rows of SECURITY.md", () => {
    const rows = new Set([...read("SECURITY.md").matchAll(/^\| (\d+) \|/gm)].map((match) => match[1]!));
    expect(notIn(rows, cited(/\bSECURITY(?:\.md)?,? rows? (\d+)/g))).toEqual([]);
    expect(notIn(rows, cited(/\bSECURITY(?:\.md)?,? rows (?:\d+(?:, | and | to ))+(\d+)/g))).toEqual([]);
  });

  it("requirements", () => {
    const ids = new Set(
      [...read("docs/work/requirements.md").matchAll(/^\| ([A-Z]-\d{2}) \|/gm)].map((match) => match[1]!),
    );
    expect(notIn(ids, cited(/(?<![\w-])([EFGLSPXTCDKIRVOW]-\d{2})(?![\w-])/g))).toEqual([]);
  });

  it("decisions", () => {
    const numbers = new Set(
      filesIn("docs/work/decisions", /^\d{4}-/).map((path) => path.split("/").at(-1)!.slice(0, 4)),
    );
    expect(notIn(numbers, cited(/(?:\bdecisions? |\(|\[|decisions\/)(00\d{2})(?![\d:.])/g))).toEqual([]);
    // The number in a link's text must match its file.
    const links = texts.flatMap((path) => [...read(path).matchAll(/\[(\d{4})\]\([^)]*?(\d{4})-[^)]*\)/g)]);
    expect(links.filter(([, said, leads]) => said !== leads).map(([text]) => text)).toEqual([]);
  });

  it("files", () => {
    const named = cited(/(?<![\w./-])((?:src|test|bench|scripts)\/[\w./-]+\.(?:ts|js|css))\b/g);
    // A name in capitals is a placeholder.
    const meant = named.filter(({ name }) => !/\/[A-Z]{4,}\b/.test(name));
    expect(notIn(new Set(meant.map(({ name }) => name).filter(exists)), meant)).toEqual([]);
  });

  it("documents", () => {
    const names = new Set(texts.filter((path) => /^(?:[A-Z]+|docs\/.*)\.md$/.test(path)));
    expect(notIn(names, cited(/(?<![\w./-])([A-Z]{4,}\.md|docs\/[\w./-]+?\.md)\b/g))).toEqual([]);
  });
});

describe("CONTRIBUTING.md", () => {
  const MOST = Object.entries({ "an argument": 4, "a page": 3, "a column to the store": 4, "an importer": 4 });
  const sections = read("CONTRIBUTING.md").split(/^## /m);
  const recipe = (thing: string): string => sections.find((section) => section.startsWith(`How to add ${thing}\n`))!;

  it.each(MOST)("D-06 shows how to add %s in at most %i files", (thing, most) => {
    const files = recipe(thing).match(/^\| `/gm)!.length;
    expect(files).toBeGreaterThan(1);
    expect(files).toBeLessThanOrEqual(most);
  });

  it.each(MOST)("D-06 cites only commits that added %s in at most %i source files", (thing, most) => {
    for (const [, commit] of recipe(thing).matchAll(/`([0-9a-f]{7})`/g)) {
      const asked = ["show", "--name-only", "--format=", commit!, "--", "src"];
      const { status, stdout } = spawnSync("git", asked, { cwd: root, encoding: "utf8" });
      // A copy of the repository without its history has no commits to check.
      if (status !== 0) continue;
      const files = stdout.split("\n").filter((path) => path !== "" && !/\.(?:test|fixture)\.ts$/.test(path));
      expect(files.length, `${commit}: ${files.join(", ")}`).toBeGreaterThan(0);
      expect(files.length, `${commit}: ${files.join(", ")}`).toBeLessThanOrEqual(most);
    }
  });
});
