// /api/roots and /api/sessions: which directories are open, and an app's current directory.
import { PdppError } from "../../contract/errors.ts";
import { FILE_POWERS } from "../../contract/file-access.ts";
import type { FileRootList, FileRootRead, FileRootRemoved } from "../../contract/file-answers.ts";
import * as requests from "../../contract/file-requests.ts";
import { FILE_PAGE } from "../../contract/limits.ts";
import type { ConnectedRoot } from "../../files/shell/connected-roots.ts";
import type { FileAnswer, FileCall } from "../../files/shell/file-call.ts";
import { links } from "../../files/shell/links.ts";
import { sessionRead } from "../../files/shell/session-read.ts";
import { route } from "./route.ts";

export const rootRoutes = [
  route({
    method: "GET",
    path: "/api/roots",
    summary: "The approved directories that you may read, and what you may do there",
    call: "fileRoots",
    action: "roots",
    needs: "navigate",
    schema: requests.rootsQuery,
    answer: roots,
  }),
  route({
    method: "POST",
    path: "/api/roots",
    summary: "Approve a directory; approving it again returns the same root",
    call: "addFileRoot",
    action: "add-root",
    needs: "owner",
    schema: requests.rootAdd,
    body: "needed",
    status: 201,
    async answer(call, { path, pathBytes, name, crossMounts }) {
      if ((path === undefined) === (pathBytes === undefined)) {
        throw new PdppError("invalid_request", "specify either path or pathBytes", {
          param: "path",
          next_step: 'Send {"path":"/home/me/Photos"}.',
        });
      }
      const place = path ?? Buffer.from(pathBytes!, "base64");
      const added = await call.lens.addRoot({ path: place, name, crossMounts }, call.caller.credential);
      return { connectionId: added.connectionId, answer: rootRead(call, added) };
    },
  }),
  route({
    method: "GET",
    path: "/api/roots/{rootId}",
    summary: "One root",
    call: "fileRoot",
    action: "roots",
    needs: "navigate",
    schema: requests.rootById,
    async answer(call, { rootId }): Promise<FileAnswer<FileRootRead>> {
      const root = await openRoot(call, rootId);
      return { connectionId: root.connectionId, answer: rootRead(call, root) };
    },
  }),
  route({
    method: "PATCH",
    path: "/api/roots/{rootId}",
    summary: "Choose whether scans enter other file systems below a root; its indexes are scanned again",
    call: "changeFileRoot",
    action: "root-mounts",
    needs: "owner",
    schema: requests.rootChange,
    body: "needed",
    async answer(call, { rootId, crossMounts }): Promise<FileAnswer<FileRootRead>> {
      await openRoot(call, rootId);
      await call.lens.setCrossMounts(rootId, crossMounts, call.caller.credential);
      const root = await openRoot(call, rootId);
      return { connectionId: root.connectionId, answer: rootRead(call, root) };
    },
  }),
  route({
    method: "DELETE",
    path: "/api/roots/{rootId}",
    summary: "Remove a root with its indexes, selections, queries and records; the files are not changed",
    call: "removeFileRoot",
    action: "remove-root",
    needs: "owner",
    schema: requests.rootById,
    async answer(call, query): Promise<FileAnswer<FileRootRemoved>> {
      await openRoot(call, query.rootId);
      const gone = await call.lens.removeRoot(query.rootId, call.caller.credential);
      const { rootId, name, path, connectionId, indexIds, resourceSets, queries, records } = gone;
      const removed = { indexIds, resourceSets, queries, records };
      return { answer: { rootId, name, path, connectionId, removed, deleted: true } };
    },
  }),
  route({
    method: "GET",
    path: "/api/sessions/{sessionId}",
    summary: "The current directory and the preferences of a shell session",
    call: "fileSession",
    action: "session",
    needs: "navigate",
    schema: requests.sessionById,
    answer: sessionRead,
  }),
] as const;

async function roots(
  call: FileCall,
  { limit = FILE_PAGE.default, cursor }: { limit?: number; cursor?: string },
): Promise<FileAnswer<FileRootList>> {
  const open = await call.roots();
  const from = cursor === undefined ? 0 : open.findIndex(({ rootId }) => rootId === cursor);
  if (from === -1) throw new PdppError("invalid_cursor", "this cursor belongs to another list", { param: "cursor" });
  const next = open[from + limit];
  return {
    answer: {
      roots: open.slice(from, from + limit).map((root) => rootRead(call, root)),
      ...(next === undefined ? {} : { nextCursor: next.rootId }),
    },
  };
}

/** A root that the caller may not read causes the same error as one that does not exist. */
async function openRoot(call: FileCall, rootId: string): Promise<ConnectedRoot> {
  const root = (await call.roots()).find((one) => one.rootId === rootId);
  if (root !== undefined) return root;
  throw new PdppError("root_not_allowed", `there is no root ${JSON.stringify(rootId.slice(0, 60))} that you can read`, {
    param: "rootId",
  });
}

function rootRead(call: FileCall, root: ConnectedRoot): FileRootRead {
  const isOwner = call.bearer.kind === "owner";
  return {
    ...root,
    text: root.text !== false,
    may: FILE_POWERS.filter((power) => isOwner || call.may(root, power)),
    link: links(call.caller.origin).root(root.rootId),
  };
}
