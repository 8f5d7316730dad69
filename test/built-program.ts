// Replaces src/program-file.ts in tests, so that their threads and processes run the build, which loads twice as fast
// as the sources.
const SOURCES = new URL("../src/", import.meta.url).href;
const BUILD = new URL("../dist/", import.meta.url).href;

export function programFile(from: string, name: string): URL {
  return new URL(`${name}.js`, from.replace(SOURCES, BUILD));
}
