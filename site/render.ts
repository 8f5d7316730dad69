// Renders one document as HTML: headings get ids, links lead to pages of the site, and sections become entries in the
// search index.
import { dirname, join, relative } from "node:path";
import MarkdownIt from "markdown-it";

export interface SearchSection {
  page: string;
  title: string;
  heading: string;
  text: string;
}

export interface RenderedDocument {
  page: string;
  title: string;
  html: string;
  /** Paths of the pictures in the document, relative to the root of the repository. */
  pictures: string[];
  sections: SearchSection[];
}

type Token = ReturnType<InstanceType<typeof MarkdownIt>["parse"]>[number];

/** `isPage` says whether a file in the repository has a page; links to other files become plain text. */
export function renderDocument(path: string, source: string, isPage: (path: string) => boolean): RenderedDocument {
  const markdown = new MarkdownIt({ html: false, linkify: false });
  const tokens = markdown.parse(source.replaceAll(/^<!-- .* -->\n/gm, ""), {});
  const page = path === "README.md" ? "index.html" : path.replace(/\.md$/, ".html");
  const pictures: string[] = [];
  const sections: SearchSection[] = [];
  const ids = new Map<string, number>();
  let title = path;
  for (const [at, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const heading = textOf(tokens[at + 1]!);
      const id = uniqueId(heading, ids);
      token.attrSet("id", id);
      if (token.tag === "h1") title = heading;
      sections.push({ page: token.tag === "h1" ? page : `${page}#${id}`, title, heading, text: "" });
    } else if (token.type === "inline") {
      redirect(token, path, page, isPage, pictures);
      addText(sections, textOf(token));
    } else if (token.type === "fence") addText(sections, token.content);
  }
  return { page, title, html: markdown.renderer.render(tokens, markdown.options, {}), pictures, sections };
}

function addText(sections: SearchSection[], text: string): void {
  const section = sections.at(-1);
  if (section !== undefined) section.text += `${text} `;
}

const textOf = (token: Token): string =>
  (token.children ?? []).map(({ type, content }) => (type === "softbreak" ? " " : content)).join("");

/** Builds the same id as other Markdown viewers: lower case, without punctuation, with hyphens for spaces. */
function uniqueId(heading: string, ids: Map<string, number>): string {
  const id = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
  const count = ids.get(id) ?? 0;
  ids.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}

function redirect(token: Token, path: string, page: string, isPage: (path: string) => boolean, pictures: string[]) {
  const to = (target: string): string => relative(dirname(page), target).replaceAll("\\", "/");
  let isDropped = false;
  for (const child of token.children ?? []) {
    if (child.type === "image") {
      const picture = join(dirname(path), String(child.attrGet("src")));
      pictures.push(picture);
      child.attrSet("src", to(picture));
      child.attrSet("loading", "lazy");
    } else if (child.type === "link_open") {
      const [target = "", anchor] = String(child.attrGet("href")).split("#");
      if (/^[a-z]+:/.test(target) || target === "") continue;
      const file = join(dirname(path), target);
      isDropped = !isPage(file);
      const found =
        file === "README.md" ? "index.html" : file.endsWith(".md") ? file.replace(/\.md$/, ".html") : `${file}.html`;
      if (isDropped) hide(child);
      else child.attrSet("href", to(found) + (anchor === undefined ? "" : `#${anchor}`));
    } else if (child.type === "link_close" && isDropped) {
      hide(child);
      isDropped = false;
    }
  }
}

/** A link to a file that is not on the site is shown as plain text. */
function hide(token: Token): void {
  token.type = "text";
  token.content = "";
  token.nesting = 0;
}
