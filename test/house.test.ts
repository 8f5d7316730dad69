// Rules for the code in the repository: the direction of dependencies, where SQL is allowed, first lines, sizes and
// names.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXPORTS } from "./browser/hostile/exports.ts";
import { filesIn, read, root } from "./repository.ts";

const sources = filesIn("src", /\.ts$/);
const isForTests = (path: string): boolean => /\.(test|fixture)\.ts$/.test(path);
const code = sources.filter((path) => !isForTests(path));

describe("dependencies point inward", () => {
  /** The areas that an area can import besides itself. An area that is not listed cannot import any other area. */
  const ALLOWED: Record<string, readonly string[]> = {
    contract: [],
    core: ["contract"],
    store: ["contract", "core"],
    engine: ["contract", "core", "store"],
    // The demo's exports are imported like an owner's.
    demo: ["collect", "contract", "core", "engine"],
    auth: ["contract", "core", "engine"],
    // The sandbox starts restricted processes without depending on what they parse.
    sandbox: [],
    collect: ["contract", "core", "engine", "sandbox"],
    notify: ["contract", "core", "engine", "auth/guarded-request.ts"],
    // Connectors are separate programs, but they share the server's code for mail, calendars, cards and record ids.
    connectors: [
      "contract",
      "collect/entry.ts",
      "collect/importers/calendar/importer.ts",
      "collect/importers/calendar/survey.ts",
      "collect/importers/components.ts",
      "collect/importers/contacts/card.ts",
      "collect/importers/contacts/contact.ts",
      "collect/importers/mail/message.ts",
      "collect/importers/mail/survey.ts",
      "collect/importers/replay.ts",
      "collect/record-ids.ts",
    ],
    // Indexes are separate databases that are opened like those of the store.
    files: [
      "contract",
      "core",
      "engine",
      "store/home-marker.ts",
      "store/private-files.ts",
      "store/sqlite/database.ts",
      "store/sqlite/schema.ts",
      // Documents are zip archives and are parsed like imports.
      "collect/archive/limits.ts",
      "collect/archive/zip.ts",
      // File records have keyed ids, like imported records.
      "collect/record-ids.ts",
      "sandbox",
    ],
    // Surfaces parse and render. They reach records through the engine, never through the store.
    "surfaces/mcp": ["contract", "core", "engine", "surfaces/http"],
    "surfaces/files-mcp": ["contract", "core", "engine", "surfaces/http", "surfaces/mcp"],
    "surfaces/files": ["contract", "core", "engine", "files", "surfaces/http"],
    "surfaces/web": ["contract", "core", "engine", "auth", "surfaces/http"],
    // The base of every HTTP surface. It does not import any of them.
    "surfaces/http": ["contract", "core", "engine"],
    // OpenAPI also describes /api.
    "surfaces/rest": ["contract", "core", "engine", "surfaces/files", "surfaces/http"],
    // The CLI uses REST to talk to a server, fills the demo and starts the server. main.ts and serving/ do the wiring.
    "surfaces/cli": [
      "collect",
      "contract",
      "core",
      "engine",
      "files",
      "surfaces/files-mcp",
      "surfaces/mcp",
      "surfaces/rest/http-host.ts",
      "surfaces/web/sign-in.ts",
      "demo",
      "main.ts",
      "serving/hosting.ts",
    ],
    // Generates files for registries and bundles from the server's tables. A person runs it, never the server.
    publish: ["contract", "surfaces/cli/default-address.ts", "surfaces/mcp"],
    serving: [
      "auth/guarded-fetch.ts",
      "collect",
      "contract",
      "core",
      "engine",
      "files",
      "notify",
      "store",
      "surfaces/files",
      "surfaces/files-mcp",
      "surfaces/http",
      "surfaces/mcp",
      "surfaces/rest",
      "surfaces/web",
    ],
    "main.ts": ["engine", "serving", "store", "surfaces/http"],
  };

  /** This module returns a program's file and depends on nothing else, so any area can import it. */
  const ANYWHERE = ["program-file.ts"];

  const areaOf = (path: string): string => {
    const [first, second] = path.replace("src/", "").split("/");
    return first === "surfaces" ? `${first}/${second}` : first!;
  };

  it("imports follow contract ← core ← store, engine ← surfaces", () => {
    const wrong = code.flatMap((path) => {
      const area = areaOf(path);
      return importsOf(path)
        .filter((target) => areaOf(target) !== area)
        .filter(
          (target) =>
            !(ALLOWED[area] ?? [])
              .concat(ANYWHERE)
              .some((ok) => [areaOf(target), target.replace("src/", "")].includes(ok)),
        )
        .map((target) => `${path} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it("areas have no import cycles", () => {
    const uses = new Map<string, Set<string>>();
    for (const path of code) {
      const others = importsOf(path)
        .map(areaOf)
        .filter((area) => area !== areaOf(path));
      uses.set(areaOf(path), new Set([...(uses.get(areaOf(path)) ?? []), ...others]));
    }
    // Removes areas without remaining imports, so only the areas of a cycle stay.
    for (let size = -1; size !== uses.size; ) {
      size = uses.size;
      for (const [area, others] of uses) if (![...others].some((other) => uses.has(other))) uses.delete(area);
    }
    expect([...uses.keys()]).toEqual([]);
  });

  it("product code does not import test code", () => {
    const wrong = code.flatMap((path) =>
      importsOf(path)
        .filter(isForTests)
        .map((target) => `${path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe("starting", () => {
  /** Schemas that check declarations and grant requests. All other schemas there describe responses. */
  const NEEDED = ["src/contract/declaration.ts", "src/contract/timestamp.ts"];

  it("P-01 loads no response schema; only GET /openapi.json does", () => {
    const entries = ["src/surfaces/cli/commands/serve.ts", "src/main.ts", "src/engine/threads/thread.ts"];
    const loaded = new Set(entries);
    for (const path of loaded) for (const target of loadedBy(path)) loaded.add(target);
    const answers = loadedBy("src/contract/components.ts").filter((path) => !NEEDED.includes(path));
    expect(answers.length).toBeGreaterThan(10);
    expect(answers.filter((path) => loaded.has(path))).toEqual([]);
    expect(NEEDED.filter((path) => !loaded.has(path))).toEqual([]);
  });
});

describe("threads and processes", () => {
  it("start from a program file, so that the build includes them, and are listed in docs/work/architecture.md", () => {
    const started = code.filter((path) => /new Worker\(|spawn\(process\.execPath/.test(read(path)));
    const givenTheirs = ["src/engine/threads/thread-calls.ts"];
    expect(started.length).toBeGreaterThan(3);
    expect(started.filter((path) => !read(path).includes("programFile(import.meta.url, "))).toEqual(givenTheirs);
    const table = read("docs/work/architecture.md");
    const programs = code.flatMap((path) =>
      [...read(path).matchAll(/programFile\(import\.meta\.url, "(\.{1,2}\/[^"]+)"\)[;,)]/g)].map(
        (match) => `${join(dirname(path), match[1]!)}.ts`,
      ),
    );
    expect(programs.length).toBeGreaterThan(12);
    expect(programs.filter((path) => !table.includes(`\`${path}\``))).toEqual([]);
    expect(code.filter((path) => /new URL\([^)]*\.(js|ts|\$\{\w+\})["`], import/.test(read(path)))).toEqual([]);
  });
});

describe("SQL", () => {
  /** These need a database for something other than a query: a lock, or checkpoints. */
  const EXCEPTIONS = [
    "src/engine/home-lock.ts",
    "src/engine/threads/keeper.ts",
    // These read a copy of another program's database.
    "src/collect/importers/foreign-sqlite.ts",
    "src/collect/importers/browser-history/databases.ts",
    "src/collect/importers/imessage/database.ts",
    "src/collect/importers/skype/database.ts",
    "src/collect/importers/sms/telephony.ts",
    "src/collect/importers/note-apps/apple-notes.ts",
    "src/collect/importers/tables/sqlite.ts",
    // This file contains the settings that make a foreign database harmless.
    "src/sandbox/read-only-database.ts",
  ];
  const SQL =
    /\bfrom "node:sqlite"|\bSELECT\s[^;]*\sFROM\s|\bINSERT\s+INTO\s|\bUPDATE\s+\w+\s+SET\s|\bDELETE\s+FROM\s|\bCREATE\s+TABLE\s|\bPRAGMA\s/;

  it("is only in store/, files/ and the listed exceptions", () => {
    const allowed = (path: string): boolean => /^src\/(store|files)\//.test(path) || EXCEPTIONS.includes(path);
    expect(code.filter((path) => !allowed(path) && SQL.test(withoutComments(read(path))))).toEqual([]);
  });
});

describe("engine calls", () => {
  const found = (pattern: RegExp, paths: readonly string[]): string[] =>
    paths.flatMap((path) => [...read(path).matchAll(pattern)].map(([text]) => `${path}: ${text.replace(/\s+/g, " ")}`));
  const callers = code.filter((path) => path !== "src/engine/host.ts");

  it("D-02 have their results parsed in one file", () => {
    expect(found(/JSON\.parse\(\s*await [\w.#]*(?:call|callText|ask|look|act)\([^;]*/g, callers)).toEqual([]);
  });

  it("D-02 are typed by their name: no caller states the type of the result", () => {
    expect(found(/\b(?:call|callText|look|act)<(?!\w+ extends)[^(]*\(/g, callers)).toEqual([]);
    expect(found(/\b(?:host|engine)\.call(?:Text)?\([^;]*\) as (?!const\b)[^;]*/g, callers)).toEqual([]);
  });
});

describe("files", () => {
  const scripts = [...filesIn("scripts", /\.js$/), ...filesIn("bin", /\.js$/)];
  const all = [...sources, ...filesIn("test", /\.ts$/), ...filesIn("bench", /\.ts$/), ...scripts];

  it("start with a line that says what they are for", () => {
    const opening = (path: string): string =>
      read(path)
        .split("\n")
        .find((line) => !line.startsWith("#!"))!;
    expect(all.filter((path) => !/^\/\/ \S.{10,}/.test(opening(path)))).toEqual([]);
  });

  it("have at most 500 lines", () => {
    const long = all
      .map((path) => ({ path, lines: read(path).split("\n").length - 1 }))
      .filter(({ lines }) => lines > 500);
    expect(long).toEqual([]);
  });

  it("have kebab-case names", () => {
    expect(all.filter((path) => !/^[a-z0-9-]+(\.[a-z]+)*\.(ts|js)$/.test(path.split("/").at(-1)!))).toEqual([]);
  });
});

describe("importers", () => {
  const folders = readdirSync(join(root, "src/collect/importers"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

  it("are registered, each with a README", () => {
    const index = read("src/collect/importers/index.ts");
    expect(folders.filter((name) => !index.includes(`from "./${name}/importer.ts"`))).toEqual([]);
    const written = filesIn("src/collect/importers", /^README\.md$/);
    expect(folders.filter((name) => !written.includes(`src/collect/importers/${name}/README.md`))).toEqual([
      "bookmarks",
    ]);
  });

  it("SECURITY row 17: each has a hostile export, which test/browser/stored-content.test.ts shows on every page", () => {
    expect(Object.keys(EXPORTS).sort()).toEqual(folders);
  });
});

describe("names", () => {
  it("exported types have unique names", () => {
    const DECLARED = /^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm;
    const declared = code.flatMap((path) =>
      [...read(path).matchAll(DECLARED)].map((match) => ({ path, name: match[1]! })),
    );
    const places = Map.groupBy(declared, ({ name }) => name);
    const shared = [...places].filter(([, found]) => found.length > 1);
    expect(shared.map(([name, found]) => `${name}: ${found.map(({ path }) => path).join(", ")}`)).toEqual([]);
  });
});

describe("package-lock.json", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as {
    packages: Record<string, { resolved?: string; optionalDependencies?: Record<string, string> }>;
  };

  it("has the packages of every platform, so that npm ci works on all of them", () => {
    const locked = new Set(Object.keys(packages).map((path) => path.split("node_modules/").at(-1)));
    const optional = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
    expect(optional.filter((name) => !locked.has(name))).toEqual([]);
  });

  it("contains no registry URL", () => {
    expect(Object.entries(packages).filter(([, entry]) => entry.resolved !== undefined)).toEqual([]);
  });
});

/** Returns the modules that a file loads at run time, without types and dynamic imports. */
function loadedBy(path: string): string[] {
  const text = withoutComments(read(path));
  const found = text.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^";]*?\sfrom\s+)?"(\.{1,2}\/[^"]+\.ts)"/gm);
  return [...found].map((match) => join(dirname(path), match[1]!).replaceAll("\\", "/"));
}

function importsOf(path: string): string[] {
  const text = withoutComments(read(path));
  const found = text.matchAll(/(?:\bfrom\s+|\bimport\s+|\bimport\(\s*|\bnew URL\(\s*)"(\.{1,2}\/[^"]+\.ts)"/g);
  return [...found].map((match) => join(dirname(path), match[1]!).replaceAll("\\", "/"));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}
