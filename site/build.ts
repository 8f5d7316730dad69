// npm run site [-- FOLDER]: builds a static site from README and docs, with search, in dist/site or the given folder.
import { fileURLToPath } from "node:url";
import { writeSite } from "./write-site.ts";

const folder = process.argv[2] ?? fileURLToPath(new URL("../dist/site", import.meta.url));
const { pages, bytes } = writeSite(folder);
process.stdout.write(`${pages} pages, ${Math.round(bytes / 1024)} KB, in ${folder}\n`);
