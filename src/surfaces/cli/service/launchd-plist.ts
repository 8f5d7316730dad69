// The property list for launchd, which runs the server as a user agent on macOS.
import type { ServiceDefinition } from "./definition.ts";
import { escapeXml } from "./escape-xml.ts";

export const launchdLabel = (name: string): string => `dev.postern.${name}`;

export function launchdPlist({ name, command, home, logFile, environment, limits }: ServiceDefinition): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
${value({
  Label: launchdLabel(name),
  ProgramArguments: command,
  EnvironmentVariables: environment,
  WorkingDirectory: home,
  RunAtLoad: true,
  // Restart after a failure, but not after a requested stop.
  KeepAlive: { SuccessfulExit: false },
  ThrottleInterval: limits.restartSeconds,
  ExitTimeOut: limits.stopSeconds,
  ProcessType: "Background",
  // 0077: only the owner can read files in the home.
  Umask: 0o77,
  SoftResourceLimits: { NumberOfFiles: limits.openFiles },
  StandardOutPath: logFile,
  StandardErrorPath: logFile,
})}
</plist>
`;
}

type Value = string | number | boolean | readonly string[] | { readonly [key: string]: Value };

function value(given: Value): string {
  if (typeof given === "string") return `<string>${escapeXml(given)}</string>`;
  if (typeof given === "number") return `<integer>${given}</integer>`;
  if (typeof given === "boolean") return given ? "<true/>" : "<false/>";
  if (isList(given)) return `<array>\n${given.map((one) => `${value(one)}\n`).join("")}</array>`;
  const members = Object.entries(given).map(([key, member]) => `<key>${escapeXml(key)}</key>\n${value(member)}\n`);
  return `<dict>\n${members.join("")}</dict>`;
}

const isList = (given: object): given is readonly string[] => Array.isArray(given);
