// pdpp disconnect: revokes the grant at the server and deletes the credential.
import type { Command } from "../command.ts";
import { credentialIn, lockedCredentials, putCredential } from "../credentials.ts";
import { revokeStored } from "../oauth/revoke-stored.ts";
import { printable } from "../printable.ts";
import { storedServer } from "../stored-server.ts";

export const disconnect: Command = {
  summary: "revoke this machine's grant and delete its credential",
  usage:
    "pdpp disconnect [ORIGIN] [--files]\n       Exit code 7: the credential is deleted here, but the server could not be reached to revoke the grant.",
  examples: ["pdpp disconnect", "pdpp disconnect https://data.example.org"],
  options: { files: { type: "boolean", about: "revoke the grant for disks instead of the one for records" } },
  remote: true,
  async run(context) {
    const found = storedServer(context, "disconnect");
    const { origin, folder } = found;
    const { revoked, grant, failure } = await lockedCredentials(folder, async () => {
      const given = await revokeStored(credentialIn(found) ?? found);
      putCredential(found, undefined);
      return given;
    });
    const { json, out, note } = context;
    if (json) out(JSON.stringify({ server: origin, grant, revoked, forgotten: true }));
    else out(revoked ? `Disconnected from ${origin} and revoked ${grant}.` : `Deleted the credential for ${origin}.`);
    if (failure === undefined) return 0;
    note(`The grant was not revoked on the server: ${printable(failure, 500)}`);
    note(`The grant stays valid there until its owner revokes it: pdpp grants revoke ${grant}`);
    return 7;
  },
};
