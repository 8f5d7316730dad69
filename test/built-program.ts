// Replaces src/program-file.ts in tests: their threads and processes run the build, which loads in half the time of the sources.
const SOURCES = new URL("../src/", import.meta.url).href;
const BUILD = new URL("../dist/", import.meta.url).href;

export function programFile(from: string, name: string): URL {
  return new URL(`${name}.js`, from.replace(SOURCES, BUILD));
}
