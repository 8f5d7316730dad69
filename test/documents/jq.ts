// The `jq` command for commands in the docs, on machines without it: the same program, compiled to WebAssembly.
import { text } from "node:stream/consumers";
import jq from "jq-wasm";

const args = process.argv.slice(2);
const flags = args.filter((argument) => argument.startsWith("-"));
const [filter = "."] = args.filter((argument) => !argument.startsWith("-"));
const printed = await jq.raw(await text(process.stdin), filter, flags);
process.stdout.write(printed === "" ? "" : `${printed.trimEnd()}\n`);
