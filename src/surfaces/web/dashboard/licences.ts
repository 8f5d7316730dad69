// /dashboard/settings/licences: the packages that this build contains, and the text of each licence.
import { readFile } from "node:fs/promises";
import { html } from "hono/html";
import { PdppError } from "../../../contract/errors.ts";
import { countOf } from "../format.ts";
import { ownerPage, type PageContent } from "../owner-page.ts";

export const LICENCES = "/dashboard/settings/licences";

/** The build writes this file, with one package per part. */
const FILE = new URL("../../../../dist/licenses.txt", import.meta.url);
/** Some licences contain such a line themselves, so the heading of the next package is required too. */
const BETWEEN = /\n\n-{80}\n\n(?=\S+ \S+ \(.*\)(?:\n|$))/;

interface BundledPackage {
  name: string;
  version: string;
  licence: string;
}

export interface LicencesView {
  packages: readonly BundledPackage[];
  /** The chosen package and its licence text. */
  chosen?: BundledPackage & { text: string };
}

export const licencesPage = ownerPage<LicencesView>({
  path: LICENCES,
  under: "settings",
  async load({ search }) {
    const parts = (await readFile(FILE, "utf8")).trimEnd().split(BETWEEN).map(packageIn);
    const packages = parts
      .map(({ text: _text, ...rest }) => rest)
      .toSorted((one, other) => (named(one) < named(other) ? -1 : 1));
    const name = search.get("package");
    if (name === null) return { packages };
    const chosen = parts.find((part) => named(part) === name);
    if (chosen === undefined)
      throw new PdppError("not_found", `this build contains no package called ${JSON.stringify(name.slice(0, 100))}`, {
        next_step: "Choose a package from the list.",
      });
    return { packages, chosen };
  },
  show: ({ packages, chosen }) => (chosen === undefined ? list(packages) : licence(chosen)),
});

/** A build can contain two versions of a package. */
const named = ({ name, version }: BundledPackage): string => `${name}@${version}`;

/** The first line is `NAME VERSION (LICENCE)`, and the rest is the licence text. */
function packageIn(part: string): BundledPackage & { text: string } {
  const [, name = "", version = "", licence = ""] = /^(\S+) (\S+) \((.*)\)$/m.exec(part) ?? [];
  return { name, version, licence, text: part.split("\n").slice(1).join("\n").trim() };
}

const list = (packages: readonly BundledPackage[]): PageContent => ({
  title: "Licences",
  width: "middle",
  body: html`<h1>Licences</h1>
<p class="lead">Postern is licensed under the Apache License 2.0. This build contains ${countOf(packages.length, "package")} by other authors.</p>
<div class="table-room listing" tabindex="0" role="region" aria-label="Packages"><table><thead><tr><th scope="col">Package</th><th scope="col">Version</th><th scope="col">Licence</th></tr></thead><tbody>${packages.map(
    (one) =>
      html`<tr><td><a href="${LICENCES}?package=${encodeURIComponent(named(one))}">${one.name}</a></td><td>${one.version}</td><td>${one.licence}</td></tr>`,
  )}</tbody></table></div>`,
});

const licence = ({ name, version, licence, text }: BundledPackage & { text: string }): PageContent => ({
  title: `${name} licence`,
  width: "middle",
  body: html`<h1>${name} ${version}</h1>
<p class="note">${licence} · <a href="${LICENCES}">All licences</a></p>
<pre tabindex="0" role="region" aria-label="Licence text">${text === "" ? "The package contains no licence file." : text}</pre>`,
});
