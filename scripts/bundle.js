// Bundles src into the given folder: each program in its own file, with shared code in chunks. The build runs this
// script.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { rolldown } from "rolldown";
import { at, fail, filesIn } from "./checkout.js";

/**
 * Only the dependencies that package.json installs stay in node_modules. CONTRIBUTING.md says which package belongs
 * where. Bundling the others made commands a quarter faster, because those packages consist of many small files that
 * nearly every command or thread loads.
 */
const { dependencies, optionalDependencies } = packageOf(at());
const LEFT_OUT = Object.keys({ ...dependencies, ...optionalDependencies });

/** Built modules that benchmarks load by name. */
const FOR_BENCHMARKS = ["collect/parser", "collect/run", "engine/backup/backup-process", "engine/home", "files/files"];

/**
 * Every disk scan starts these programs, so each is one file: loading a dozen chunks took a third of their startup
 * time.
 */
const IN_ONE_FILE = ["files/scan/scanner", "files/write/thread"];

const SRC = at("src") + sep;

/** Returns every file that is started by name, as a path below src without its extension. */
function programs() {
  const found = new Set(["surfaces/cli/cli", ...FOR_BENCHMARKS]);
  for (const path of filesIn("src")) {
    if (!path.endsWith(".ts") || /\.(test|fixture)\.ts$|^src\/program-file\.ts$/.test(path)) continue;
    if (/^src\/connectors\/[^/]+\/main\.ts$/.test(path)) found.add(path.slice("src/".length, -".ts".length));
    const calls = readFileSync(at(path), "utf8").matchAll(/\bprogramFile\((?:import\.meta\.url, "([^"]+)"\))?/g);
    for (const [, name] of calls) {
      if (name === undefined)
        fail(
          `${path}: call programFile with import.meta.url and a string literal, otherwise the build cannot find the file`,
        );
      found.add(posix.join(posix.dirname(path), name).slice("src/".length));
    }
  }
  return Object.fromEntries([...found].map((name) => [name, at("src", `${name}.ts`)]));
}

/**
 * Makes `import.meta.url` point to where a module would be below dist as its own file, regardless of the chunk it ends
 * up in.
 */
const ownPlaces = {
  name: "own-places",
  transform: {
    // Excludes the bundler's internal modules, whose ids begin with a NUL character.
    filter: { id: /^[^\0]/, code: /\bimport\.meta\b|\b__dirname\b/ },
    handler(text, id) {
      if (!id.startsWith(SRC))
        fail(
          `${relative(at(), id)} uses its own location (import.meta or __dirname): exclude its package from the bundle`,
        );
      const place = id.slice(SRC.length).replaceAll(sep, "/").replace(/\.ts$/, ".js");
      return (
        text
          // Remove this line so that the bundler's own `require` is used. It adds lazily loaded modules to the bundle,
          // and still loads them lazily.
          .replace(/^const require = createRequire\(import\.meta\.url\);$/m, "")
          .replaceAll("import.meta.url", `PLACE_OF(${JSON.stringify(place)})`)
      );
    },
  },
  renderChunk: (text, { fileName }) =>
    text.replaceAll(/\bPLACE_OF\("([^"]+)"\)/g, (_, place) => {
      const path = posix.relative(posix.dirname(fileName), place);
      return place === fileName ? "import.meta.url" : `new URL(${JSON.stringify(path)}, import.meta.url).href`;
    }),
};

/**
 * When a built-in module is imported, Node resolves all of its exports. One export of node:http loads undici, which
 * costs 60 ms of CPU time in each command, so node:http is accessed without an import.
 */
const withoutUndici = {
  name: "without-undici",
  renderChunk: (text) =>
    text.replaceAll(
      /^import (?:(\w+)|\{([^}]+)\}) from "node:http";$/gm,
      (_, whole, parts) =>
        `const ${whole ?? `{${parts.replaceAll(" as ", ": ")}}`} = process.getBuiltinModule("node:http");`,
    ),
};

/**
 * Every thread that loads a module keeps its source in memory, with two bytes per character if any character is not
 * ASCII. Escapes are equivalent in strings, regular expressions, comments and names, but not in String.raw. The bundler
 * undoes escapes made by a plugin, so this rewrites the bundler's output.
 */
function escapeFile(path) {
  const text = readFileSync(path, "utf8");
  if (/\bString\.raw`[^`]*[\u0080-\uffff]/.test(text))
    fail(`${path}: String.raw cannot contain escapes: remove the non-ASCII characters`);
  // An unpaired backslash before such a character has no meaning, and would turn the escape into literal text.
  const escaped = text.replaceAll(
    /(\\*)([\u0080-\uffff])/g,
    (_, slashes, character) =>
      `${slashes.slice(slashes.length % 2)}\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  if (escaped !== text) writeFileSync(path, escaped);
}

/** Collects the packages' licences, because distributing the bundle means distributing the packages. */
function licenses(chunks) {
  const folders = new Set();
  for (const id of chunks.flatMap(({ moduleIds }) => moduleIds)) {
    if (!id.includes(`${sep}node_modules${sep}`)) continue;
    let folder = dirname(id);
    while (!existsSync(join(folder, "package.json")) || !("version" in packageOf(folder))) folder = dirname(folder);
    folders.add(folder);
  }
  return [...folders].sort().map((folder) => {
    const { name, version, license } = packageOf(folder);
    const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    return [`${name} ${version} (${license})`, file && readFileSync(join(folder, file), "utf8").trim()].join("\n\n");
  });
}

function packageOf(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** The programs whose small chunks are merged. */
const OF_SERVERS = ["surfaces/cli/commands/serve", "engine/threads/thread"];
/** Larger chunks stay separate, so that a short command does not load much that it does not use. */
const SMALL = 12_000;
/** Built-in modules that every process has loaded anyway. */
const ALWAYS_LOADED = /^node:(buffer|events|fs|fs\/promises|os|path|stream|timers\/promises|url|util)$/;

/**
 * Returns the modules of small chunks that a server loads when it starts, and that load nothing else. They become one
 * chunk, because finding and reading a file takes Node a quarter of a millisecond, and there are dozens.
 */
function smallModules(chunks) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const loaded = new Set();
  const load = (name) => {
    if (loaded.has(name) || !byName.has(name)) return;
    loaded.add(name);
    byName.get(name).imports.forEach(load);
  };
  for (const name of OF_SERVERS) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(at("src", `${name}.ts`)));
    if (chunk === undefined) fail(`src/${name}.ts is in no chunk: correct OF_SERVERS`);
    load(chunk.fileName);
  }
  const known = new Map();
  const isSmall = (name) => {
    if (known.has(name)) return known.get(name);
    // For chunks that import each other.
    known.set(name, true);
    const { code, isEntry, isDynamicEntry, imports } = byName.get(name);
    const isOwn = !isEntry && !isDynamicEntry && code.length <= SMALL;
    known.set(name, isOwn && imports.every((one) => (byName.has(one) ? isSmall(one) : ALWAYS_LOADED.test(one))));
    return known.get(name);
  };
  return new Set([...loaded].filter(isSmall).flatMap((name) => byName.get(name).moduleIds));
}

const [folder] = process.argv.slice(2);

/** `mergedModules` chooses modules, by the chunks without it, that become one chunk. */
async function bundled(input, mergedModules) {
  const bundle = await rolldown({
    input,
    platform: "node",
    tsconfig: at("tsconfig.json"),
    external: (id) => LEFT_OUT.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [ownPlaces, withoutUndici],
  });
  const format = {
    dir: folder,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    // Names are not shortened, because people read stack traces.
    minifyInternalExports: false,
    comments: { legal: true, annotation: false, jsdoc: false },
  };
  const chunksOf = ({ output }) => output.filter(({ type }) => type === "chunk");
  const merged = mergedModules?.(chunksOf(await bundle.generate(format)));
  const groups = merged === undefined ? [] : [{ name: "common", test: (id) => merged.has(id) }];
  const chunks = chunksOf(await bundle.write({ ...format, codeSplitting: { groups } }));
  await bundle.close();
  for (const { fileName } of chunks) escapeFile(join(folder, fileName));
  return chunks;
}

const all = Object.entries(programs());
const split = all.filter(([name]) => !IN_ONE_FILE.includes(name));
const chunks = await bundled(Object.fromEntries(split), smallModules);
for (const name of IN_ONE_FILE)
  chunks.push(...(await bundled(Object.fromEntries(all.filter(([one]) => one === name)))));
writeFileSync(join(folder, "licenses.txt"), `${licenses(chunks).join(`\n\n${"-".repeat(80)}\n\n`)}\n`);
