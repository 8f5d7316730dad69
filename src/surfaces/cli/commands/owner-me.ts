// pdpp owner me: lists the names, addresses and numbers by which records refer to the owner.
import { answer, type CommandContext } from "../command.ts";
import { printable } from "../printable.ts";

export async function identify(context: CommandContext): Promise<number> {
  const [add, remove] = [context.values.add, context.values.remove].map((texts) => texts as string[] | undefined);
  const body =
    add === undefined && remove === undefined
      ? await context.call("me", {})
      : await context.call("changeMe", { add, remove });
  answer(context, body, ({ names, addresses, numbers }) => {
    const all = [...names, ...addresses, ...numbers].map((text) => printable(text));
    return all.length === 0 ? "Nothing yet. Add your names and addresses: pdpp owner me --add NAME" : all.join("\n");
  });
  return 0;
}
