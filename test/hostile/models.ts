// Models of MCP clients: what each client shows its model, and what it hides (L-09).

export interface ClientModel {
  name: string;
  /** The description for the table in docs/build/clients.md. */
  shows: string;
  /** Shows all tool definitions at the start, only their names, or nothing until the model asks for a tool. */
  tools: "all" | "names" | "none";
  /** The number of characters of the instructions that are shown. */
  instructions: number;
  half: "both" | "content" | "structured";
  /** Where a result is cut, with only a mark left: at the end or in the middle. */
  cut?: { bytes: number } | { tokens: number } | { firstAndLast: number };
  /** Longer results are written to a file that the model cannot open. */
  spill?: { chars: number };
  /**
   * How the host treats a pdpp:// link: it ignores the link, shows it as a dead link, saves a file that the model
   * cannot open, or reads the resource.
   */
  resources: "none" | "links" | "files" | "read";
}

const OPEN: Omit<ClientModel, "name" | "shows"> = {
  tools: "all",
  instructions: Number.POSITIVE_INFINITY,
  half: "both",
  resources: "none",
};

/** These clients hide and cut nothing important, so they must stay within the journey's budget. */
export const UNHINDERED: readonly ClientModel[] = [
  { ...OPEN, name: "content[] only", shows: "drops `structuredContent`", half: "content" },
  { ...OPEN, name: "structuredContent only", shows: "drops `content[]`", half: "structured" },
  {
    ...OPEN,
    name: "resources/read works",
    shows: "drops `content[]`, reads resources",
    half: "structured",
    resources: "read",
  },
];

export const HINDERED: readonly ClientModel[] = [
  { ...OPEN, name: "both halves", shows: "everything, so every result twice" },
  {
    ...OPEN,
    name: "both halves, spill above 20 KB",
    shows: "everything, but results over 20,000 characters as files that it cannot open",
    spill: { chars: 20_000 },
  },
  {
    ...OPEN,
    name: "both halves, 4,000 + 4,000 characters",
    shows: "everything, but only the first and the last 4,000 characters of a longer result",
    cut: { firstAndLast: 4_000 },
  },
  {
    ...OPEN,
    name: "no instructions",
    shows: "drops `content[]` and the instructions",
    half: "structured",
    instructions: 0,
  },
  { ...OPEN, name: "dead links", shows: "`pdpp://` as links that it cannot read", half: "content", resources: "links" },
  {
    ...OPEN,
    name: "resources as files",
    shows: "resources, and results over 8,000 characters, as files that it cannot open",
    half: "content",
    resources: "files",
    spill: { chars: 8_000 },
  },
  {
    ...OPEN,
    name: "2 KB of content[]",
    shows: "the first 2,048 bytes of a result",
    half: "content",
    cut: { bytes: 2_048 },
  },
  {
    ...OPEN,
    name: "2 KB of structuredContent",
    shows: "the first 2,048 bytes of a result",
    half: "structured",
    cut: { bytes: 2_048 },
  },
  {
    ...OPEN,
    name: "10,000 tokens",
    shows: "the first 10,000 tokens of a result",
    half: "structured",
    cut: { tokens: 10_000 },
  },
  {
    ...OPEN,
    name: "deferred tools, 4,096",
    shows: "tool names and 4,096 characters of instructions, then one tool at a time",
    half: "structured",
    tools: "names",
    instructions: 4_096,
  },
  {
    ...OPEN,
    name: "deferred tools, 2,048",
    shows: "tool names and 2,048 characters of instructions, then one tool at a time",
    half: "content",
    tools: "names",
    instructions: 2_048,
  },
];

/** Hosts by name, modelled from measurements or documentation. */
const HOSTS: readonly ClientModel[] = [
  {
    ...OPEN,
    name: "like ChatGPT",
    shows: "`content[]`, 512 characters of instructions, no resources",
    half: "content",
    instructions: 512,
  },
  {
    ...OPEN,
    name: "like Claude.ai",
    shows: "`content[]`, resources only by hand, results over 150,000 characters as files",
    half: "content",
    resources: "links",
    spill: { chars: 150_000 },
  },
  {
    ...OPEN,
    name: "like Claude Code",
    shows: "tool names and instructions, then `structuredContent`, over 50,000 characters as files",
    tools: "names",
    half: "structured",
    instructions: 2_048,
    resources: "read",
    spill: { chars: 50_000 },
  },
  {
    ...OPEN,
    name: "like Codex",
    shows: "instructions, tools when it searches for them, then 10,000 tokens of `structuredContent`",
    tools: "none",
    half: "structured",
    cut: { tokens: 10_000 },
  },
  { ...OPEN, name: "generic", shows: "`content[]`, no instructions, no resources", half: "content", instructions: 0 },
];

export const MODELS: readonly ClientModel[] = [...UNHINDERED, ...HINDERED, ...HOSTS];
