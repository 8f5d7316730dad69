// Asks for a secret at the terminal, without showing what is typed.
import { UsageError } from "./command.ts";

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const DELETE = new Set(["\u007f", "\b"]);

/** Call it only if there is a terminal. */
export function askHidden(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(`${question}: `);
  stdin.setRawMode(true);
  stdin.resume();
  return new Promise((resolve, reject) => {
    let typed = "";
    const end = (): void => {
      stdin.off("data", hear);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write("\n");
    };
    // Pasted text arrives in one piece.
    const hear = (part: Buffer): void => {
      for (const character of part.toString("utf8")) {
        if (character === CTRL_C || (character === CTRL_D && typed === "")) {
          end();
          reject(new UsageError("nothing was entered"));
          return;
        }
        if (character === "\r" || character === "\n") {
          end();
          resolve(typed);
          return;
        }
        if (DELETE.has(character)) typed = [...typed].slice(0, -1).join("");
        else if (character >= " ") typed += character;
      }
    };
    stdin.on("data", hear);
  });
}
