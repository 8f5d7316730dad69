// The layout of every page: navigation, search, and the document.
import { dirname, relative } from "node:path";
import type { RenderedDocument } from "./render.ts";

export interface NavigationSection {
  title: string;
  links: { label: string; page: string }[];
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Everything that scrolls sideways can be reached with the keyboard. */
const focusable = (html: string): string =>
  html
    .replaceAll("<pre>", '<pre tabindex="0">')
    .replaceAll("<table>", '<div class="wide" tabindex="0" role="region" aria-label="Table"><table>')
    .replaceAll("</table>", "</table></div>");

export function layout({ page, title, html }: RenderedDocument, navigation: readonly NavigationSection[]): string {
  const to = (target: string): string => relative(dirname(page), target).replaceAll("\\", "/");
  const root = to(".") === "" ? "." : to(".");
  const link = ({ label, page: target }: { label: string; page: string }): string =>
    `<li><a href="${to(target)}"${target === page ? ' aria-current="page"' : ""}>${escaped(label)}</a></li>`;
  const sections = navigation.map(
    (section) => `<h2>${escaped(section.title)}</h2>\n<ul>${section.links.map(link).join("")}</ul>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title === "Postern" ? title : `${title} · Postern`)}</title>
<link rel="stylesheet" href="${to("site.css")}">
<script src="${to("search.js")}" defer></script>
</head>
<body data-root="${root}">
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="name" href="${to("index.html")}">Postern</a>
<form class="search" role="search"><label for="q">Search</label><input id="q" type="search" autocomplete="off" placeholder="Search the documents"></form>
</header>
<ol id="results" aria-live="polite" hidden></ol>
<div class="columns">
<nav aria-label="Documents"><details open><summary>Documents</summary>
${sections.join("\n")}
</details></nav>
<main id="content">
${focusable(html)}
</main>
</div>
</body>
</html>
`;
}
