// The engine a command works on: a local home in this process, or a server over HTTP.
import { PdppError } from "../../contract/errors.ts";
import { httpHost } from "../rest/http-host.ts";
import type { Connected, ConnectOptions, Values } from "./command.ts";

export async function connect(
  home: string,
  values: Values,
  options: ConnectOptions & { note: (text: string) => void },
): Promise<Connected> {
  const server = values.server as string | undefined;
  const token = (values.token as string | undefined) ?? process.env.PDPP_ACCESS_TOKEN;
  if (server !== undefined) {
    if (token === undefined) {
      throw new PdppError("authentication_error", "--server needs a token", {
        next_step: "Give --token TOKEN or set PDPP_ACCESS_TOKEN.",
      });
    }
    if (!/^https?:$/.test(URL.parse(server)?.protocol ?? "")) {
      throw new PdppError("invalid_request", `--server is an http or https address, not ${JSON.stringify(server)}`, {
        param: "server",
      });
    }
    return { host: httpHost(server), credential: { token } };
  }
  const { openHome } = await import("../../engine/home.ts");
  const { checkHomePlace } = await import("../../engine/home-place.ts");
  checkHomePlace(home, options);
  const host = openHome(home, options);
  // With a token even the owner of the home reads as that client would.
  return { host, credential: values.token === undefined ? { home: true } : { token: values.token as string } };
}
