// `pdpp files … --json`: prints results of the files lens with snake_case fields, like every other command.
import { answer, type CommandContext } from "../command.ts";
import { plainJson } from "../printable.ts";

export const filesJson = (value: object): string => plainJson(JSON.stringify(snakeCased(value)));

/** Like `answer`, for the files lens. */
export function filesAnswer<T extends object>(
  context: CommandContext,
  value: T,
  render: (answer: T) => string,
  next?: (answer: T) => string | undefined,
): void {
  if (context.json) context.out(filesJson(value));
  else answer(context, value, render, next);
}

function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCased(inner),
    ]),
  );
}
