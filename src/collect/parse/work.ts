// The parser process: it examines the files once, then handles plan and run requests.
import type { SandboxedWork } from "../../sandbox/work.ts";
import { ARCHIVE_LIMITS } from "../archive/limits.ts";
import { unpackedFolder } from "../archive/unpacked.ts";
import type { Importer } from "../importer.ts";
import type { ParserStart, ToParser } from "../messages.ts";
import { withPlainBlobs } from "../plain-blob.ts";
import { type Recognised, recognise } from "../recognise.ts";
import { reasonOf, walk } from "../walk.ts";
import { planGroups } from "./plan-groups.ts";
import { reporter } from "./reporter.ts";
import { type AskThumbnail, runGroup } from "./run-group.ts";

export const work: SandboxedWork = (start, tell) => {
  const { given, scratch, importers } = start as ParserStart;
  withPlainBlobs();
  const report = reporter(tell);
  const unpacked = unpackedFolder(scratch, ARCHIVE_LIMITS.copyBytes, report.beat);
  let found: Promise<Recognised> | undefined;

  async function examineFiles(): Promise<Recognised> {
    const loading = importers === undefined ? import("../importers/index.ts") : import(importers);
    const { IMPORTERS } = (await loading) as { IMPORTERS: readonly Importer[] };
    return recognise(await walk(given, unpacked, report), IMPORTERS, report.beat);
  }

  async function answer(message: Exclude<ToParser, { thumbnail: boolean }>): Promise<void> {
    report.tell({ beat: true });
    found ??= examineFiles();
    found.catch(() => {
      found = undefined;
    });
    const recognised = await found;
    if ("plan" in message) report.tell({ plan: await planGroups(recognised, message.plan, report) });
    else await runGroup(recognised, message.run, report, askThumbnail);
  }

  let small: ((bytes: Uint8Array | undefined) => void) | undefined;
  const askThumbnail: AskThumbnail = (send) =>
    new Promise((resolve) => {
      small = resolve;
      send();
    });

  return (message, bytes) => {
    const request = message as ToParser;
    if ("thumbnail" in request) small?.(request.thumbnail ? bytes : undefined);
    else void answer(request).catch((error) => report.tell({ failed: reasonOf(error) }));
  };
};
