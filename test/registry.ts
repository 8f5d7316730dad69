// A registry on loopback with the packages of this checkout. npm installs from it as from the real one, without the
// network.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Loose } from "./harness.ts";

export async function registry(root: string): Promise<{ url: string; close(): void }> {
  const folders = installedFolders(root);
  const server = createServer((request, response) => {
    const [name = "", version] = decodeURIComponent(request.url!.slice(1)).split("//");
    const found = folders.get(name);
    if (found === undefined) {
      response.writeHead(404).end();
    } else if (version === undefined) {
      response.setHeader("content-type", "application/json").end(JSON.stringify(about(name, found)));
    } else {
      const tar = spawn("tar", ["-C", found.get(version)!, "--exclude=./node_modules", "-czf", "-", "."]);
      tar.stdout.pipe(response);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const about = (name: string, versions: ReadonlyMap<string, string>): Loose => ({
    name,
    "dist-tags": { latest: [...versions.keys()].at(-1) },
    versions: Object.fromEntries(
      [...versions].map(([version, folder]) => [
        version,
        { ...manifestIn(folder), dist: { tarball: `${url}/${encodeURIComponent(name)}//${version}` } },
      ]),
    ),
  });
  return { url, close: () => void server.close() };
}

/** Returns name → version → folder for everything that an installation without development packages needs. */
function installedFolders(root: string): Map<string, Map<string, string>> {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Loose;
  const found = new Map<string, Map<string, string>>();
  for (const [path, { dev, version }] of Object.entries<Loose>(packages)) {
    const folder = join(root, path);
    if (path === "" || dev || !existsSync(folder)) continue;
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    if (!found.has(name)) found.set(name, new Map());
    found.get(name)!.set(version, folder);
  }
  return found;
}

const manifestIn = (folder: string): Loose => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
