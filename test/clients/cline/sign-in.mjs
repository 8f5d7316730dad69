// Signs in as Cline's interactive session does, by calling the same function of its core package.
import { execFile } from "node:child_process";
import { authorizeMcpServerOAuth } from "@cline/core";

const [filePath, serverName] = process.argv.slice(2);
const openUrl = (url) => void execFile("xdg-open", [url]);
const { message } = await authorizeMcpServerOAuth({ serverName, filePath, clientName: "Cline", openUrl });
console.log(message);
process.exit(0);
