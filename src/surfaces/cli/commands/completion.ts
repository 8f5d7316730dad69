// pdpp completion: prints the script that lets a shell complete commands, options and values.
import { type Command, UsageError } from "../command.ts";

const SHELLS = {
  bash: () => import("../completion/bash.ts").then((module) => module.bashCompletion),
  zsh: () => import("../completion/zsh.ts").then((module) => module.zshCompletion),
  fish: () => import("../completion/fish.ts").then((module) => module.fishCompletion),
} as const;

export const completion: Command = {
  summary: "completion for bash, zsh and fish",
  usage: "pdpp completion bash | zsh | fish",
  details: `bash  echo 'source <(pdpp completion bash)' >> ~/.bashrc
zsh   echo 'source <(pdpp completion zsh)' >> ~/.zshrc, after compinit
fish  pdpp completion fish > ~/.config/fish/completions/pdpp.fish`,
  examples: ["pdpp completion bash", "pdpp completion fish"],
  actions: Object.keys(SHELLS),
  options: {},
  remote: true,
  async run({ positionals, out }) {
    const [shell, ...rest] = positionals;
    if (shell === undefined || !Object.hasOwn(SHELLS, shell) || rest.length > 0)
      throw new UsageError(`Choose a shell: ${Object.keys(SHELLS).join(", ")}`);
    const [render, { describedCommands }] = await Promise.all([
      SHELLS[shell as keyof typeof SHELLS](),
      import("../completion/described-commands.ts"),
    ]);
    out(render(await describedCommands()));
    return 0;
  },
};
