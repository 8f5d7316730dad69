// The sign-in of Cline's interactive session, by the function of its core package that the session calls.
import { execFile } from "node:child_process";
import { authorizeMcpServerOAuth } from "@cline/core";

const [filePath, serverName] = process.argv.slice(2);
const openUrl = (url) => void execFile("xdg-open", [url]);
const { message } = await authorizeMcpServerOAuth({ serverName, filePath, clientName: "Cline", openUrl });
console.log(message);
process.exit(0);
