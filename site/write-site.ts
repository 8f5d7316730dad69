// Writes the site: a page for each document, the pictures in the documents, a style sheet, and the search index.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { layout, type NavigationSection } from "./layout.ts";
import { type RenderedDocument, renderDocument } from "./render.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const ASSETS = ["site.css", "search.js"];
const TOP_LEVEL = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md"];

/** Returns the number of pages that it wrote, and their total size in bytes. */
export function writeSite(folder: string): { pages: number; bytes: number } {
  rmSync(folder, { recursive: true, force: true });
  const paths = [...TOP_LEVEL, ...documentsIn("docs")];
  const documents = [...paths.map((path) => renderDocument(path, source(path), isPage)), decisionList(paths)];
  const navigation = navigationOf(source("docs/README.md"));
  let bytes = 0;
  const write = (name: string, text: string): void => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    bytes += Buffer.byteLength(text);
  };
  for (const document of documents) write(document.page, layout(document, navigation));
  for (const picture of new Set(documents.flatMap(({ pictures }) => pictures))) {
    mkdirSync(dirname(join(folder, picture)), { recursive: true });
    copyFileSync(join(ROOT, picture), join(folder, picture));
  }
  for (const name of ASSETS) write(name, readFileSync(join(ROOT, "site", name), "utf8"));
  write("search.json", JSON.stringify(documents.flatMap(({ sections }) => sections)));
  return { pages: documents.length, bytes };

  function isPage(path: string): boolean {
    return paths.includes(path) || path === DECISIONS;
  }
}

const source = (path: string): string => readFileSync(join(ROOT, path), "utf8");

const documentsIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort();

const DECISIONS = "docs/work/decisions";

/** No document lists the decisions, so this page is generated. */
function decisionList(paths: readonly string[]): RenderedDocument {
  const rows = paths
    .filter((path) => path.startsWith(`${DECISIONS}/`))
    .map((path) => `- [${/^# (.*)$/m.exec(source(path))?.[1] ?? path}](decisions/${path.slice(DECISIONS.length + 1)})`);
  return renderDocument(`${DECISIONS}.md`, `# Decisions\n\n${rows.join("\n")}\n`, (path) => paths.includes(path));
}

/** The tables of the index page are the navigation. */
function navigationOf(index: string): NavigationSection[] {
  return index
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.slice(0, section.indexOf("\n")),
      links: [...section.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\)/gm)].map(([, label, target]) => ({
        label: label!,
        page: pageOf(join("docs", target!)),
      })),
    }));
}

function pageOf(path: string): string {
  const isFolder = existsSync(join(ROOT, path)) && statSync(join(ROOT, path)).isDirectory();
  return isFolder ? `${path}.html` : path.replace(/\.md$/, ".html");
}
