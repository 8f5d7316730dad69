// pdpp files roots: manages the directories that the files lens may open.
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { ConnectedRoot } from "../../../files/shell/connected-roots.ts";
import type { FilesLens } from "../../../files/shell/lens.ts";
import { recognitionWords } from "../../../files/sync/text/recognition.ts";
import { type CommandContext, text, UsageError } from "../command.ts";
import { confirm } from "../prompt.ts";
import { table } from "../table.ts";
import { filesAnswer } from "./json.ts";
import { withLens } from "./lens.ts";

export async function roots(context: CommandContext, [action = "list", named, ...rest]: string[]): Promise<number> {
  if (action === "text" && named !== undefined && rest.length === 1) return setText(context, named, rest[0]!);
  if (action === "mounts" && named !== undefined && rest.length === 1) return setMounts(context, named, rest[0]!);
  if (rest.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}`);
  if (action === "list" && named === undefined) return list(context);
  if (action === "add" && named !== undefined) return add(context, named);
  if (action === "remove" && named !== undefined) return remove(context, named);
  throw new UsageError(
    "choose one of roots, roots add PATH, roots text ROOT on|off|photos, roots mounts ROOT on|off or roots remove ROOT",
  );
}

const list = (context: CommandContext): Promise<number> =>
  withLens(context, async (lens) => {
    const data = await lens.roots();
    filesAnswer(context, { data }, () => {
      if (data.length === 0) return "No directory is approved yet. `pdpp files roots add PATH` approves one.";
      const rows = data.map((root) => [
        root.rootId,
        root.path,
        [
          ...(root.text === "photos" ? ["with text, including text in photos"] : root.text ? ["with text"] : []),
          ...(root.crossMounts ? ["with other file systems"] : []),
          ...(root.available ? [] : ["not available now"]),
        ].join(", "),
        root.connectionId,
      ]);
      return table(["root", "path", "", "connection"], rows, { whole: [0, 1, 3] });
    });
    return 0;
  });

export const pathFrom = (typed: string): string =>
  resolve(typed === "~" || typed.startsWith("~/") ? homedir() + typed.slice(1) : typed);

const add = (context: CommandContext, path: string): Promise<number> =>
  withLens(context, async (lens) => {
    const name = text(context.values, "name");
    const root = await lens.addRoot({
      path: pathFrom(path),
      ...(name === undefined ? {} : { name }),
      ...(context.values.text === true ? { text: true } : {}),
      ...(context.values["cross-mounts"] === true ? { crossMounts: true } : {}),
    });
    filesAnswer(
      context,
      root,
      () => `${root.path} is approved: ${root.rootId}. Nothing has been read yet.`,
      () => `Next: pdpp files index ${root.path}`,
    );
    return 0;
  });

/** Finds a root by its id, path or connection. */
export async function rootNamed(lens: FilesLens, named: string): Promise<ConnectedRoot> {
  const all = await lens.roots();
  const path = pathFrom(named);
  const found = all.find((root) => [root.rootId, root.path, root.connectionId].includes(named));
  const root = found ?? all.find((one) => one.path === path);
  if (root !== undefined) return root;
  throw new UsageError(`no root ${JSON.stringify(named)}; \`pdpp files roots\` lists them`);
}

const setText = (context: CommandContext, named: string, wanted: string): Promise<number> =>
  withLens(context, async (lens) => {
    if (!["on", "off", "photos"].includes(wanted)) throw new UsageError("choose roots text ROOT on, off or photos");
    const root = await rootNamed(lens, named);
    const wish = wanted === "photos" ? "photos" : wanted === "on";
    await lens.setText(root.rootId, wish);
    filesAnswer(
      context,
      { ...root, text: wish },
      () =>
        wish === false
          ? `The text of files in ${root.path} is no longer stored.`
          : `The text of files in ${root.path} is stored in the stream file_text; apps need a grant for it.\n${recognitionWords()}`,
      () => `Next: pdpp files sync ${root.rootId}`,
    );
    return 0;
  });

const setMounts = (context: CommandContext, named: string, wanted: string): Promise<number> =>
  withLens(context, async (lens) => {
    if (wanted !== "on" && wanted !== "off")
      throw new UsageError("choose on or off: pdpp files roots mounts ROOT on|off");
    const root = await rootNamed(lens, named);
    await lens.setCrossMounts(root.rootId, wanted === "on");
    filesAnswer(
      context,
      { ...root, crossMounts: wanted === "on" },
      () => `Scans of ${root.path} ${wanted === "on" ? "enter" : "skip"} other file systems below it.`,
      () => `Next: pdpp files index ${root.path}`,
    );
    return 0;
  });

const remove = (context: CommandContext, named: string): Promise<number> =>
  withLens(context, async (lens) => {
    const root = await rootNamed(lens, named);
    if (context.values.yes !== true)
      await confirm(
        `Remove ${root.path} with its index, selections and records? The files themselves are kept.`,
        `pdpp files roots remove ${root.rootId} --yes`,
      );
    const removed = await lens.removeRoot(root.rootId);
    filesAnswer(context, removed, () => `Removed ${root.path}; its files are unchanged.`);
    return 0;
  });
