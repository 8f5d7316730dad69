// Engine calls that the files lens uses to check access and to log its actions. They have no route.
import * as calls from "../../contract/file-calls.ts";
import { admitToFiles, tellFileCall, tellFileServed } from "../read/file-calls.ts";
import { signLink } from "../read/signed-link.ts";
import { read } from "./define.ts";

export const FILE_CALLS = {
  /** Returns the roots that the caller may use. Called before anything else is done. */
  filesBearer: read({ query: calls.filesEntry, lens: "files", run: admitToFiles }),
  /** Writes a call's audit entry before its response is sent. */
  noteFileCall: read({ query: calls.fileCall, lens: "files", run: tellFileCall }),
  signFileLink: read({
    query: calls.fileLink,
    lens: "files",
    run: async (context, { url }) => ({ ...signLink(context, { url }, "files"), reads: [] }),
  }),
  fileServed: read({ query: calls.fileServed, lens: "files", tells: true, run: tellFileServed }),
};
