// Detects and opens the user's browser.
import { spawn } from "node:child_process";

/**
 * The environment variable for a command that replaces the system's default browser. It gets the address as its last
 * argument.
 */
const CHOSEN = "PDPP_BROWSER";

/** Over SSH or without a display, the user would not see the browser. */
export function hasBrowser(environment: NodeJS.ProcessEnv, platform = process.platform): boolean {
  if (environment[CHOSEN]) return true;
  if (environment.SSH_CONNECTION || environment.SSH_TTY) return false;
  return platform === "darwin" || platform === "win32" || Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
}

/** If no browser opens, the user still has the address in the terminal. */
export function openBrowser(url: string, failed: () => void): void {
  const [command, ...args] = commandFor(url);
  const child = spawn(command!, args, { stdio: "ignore", detached: process.platform !== "win32" });
  child.on("error", failed);
  child.on("exit", (code) => {
    if (code !== 0) failed();
  });
  child.unref();
}

function commandFor(url: string): string[] {
  const chosen = process.env[CHOSEN];
  // The shell splits the command. The address is a separate argument, so the shell never parses it.
  if (chosen && process.platform !== "win32") return ["sh", "-c", `${chosen} "$1"`, "sh", url];
  if (chosen) return [chosen, url];
  if (process.platform === "darwin") return ["open", url];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  return ["xdg-open", url];
}
