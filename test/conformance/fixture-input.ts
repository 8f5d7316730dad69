// Tools and a prompt that need input from the client, in rounds, as in the stateless protocol.
import { randomBytes } from "node:crypto";
import {
  acceptedContent,
  createRequestStateCodec,
  type GetPromptResult,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type PrimitiveSchemaDefinition as Primitive,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ServedTool } from "../../src/surfaces/mcp/server.ts";
import { text } from "./fixture-content.ts";
import { declared, fixtureTool } from "./fixture-tools.ts";

type Request = ServerContext["mcpReq"];

const codec = createRequestStateCodec<{ round: number }>({ key: randomBytes(32) });

const ask = (message: string, field: string, schema: Primitive = { type: "string" }): InputRequest =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties: { [field]: schema }, required: [field] },
  });
const sampling = (words: string): InputRequest =>
  inputRequired.createMessage({ messages: [{ role: "user", content: { type: "text", text: words } }], maxTokens: 100 });
const QUESTION = { user_name: ask("What is your name?", "name") };
const ALL = { ...QUESTION, greeting: sampling("Greet them"), client_roots: inputRequired.listRoots() };

/** Asks until every key has an answer, and then returns the answers. */
const asking =
  (inputRequests: Record<string, InputRequest>): ServedTool["call"] =>
  async (_context, _args, { inputResponses }) => {
    const answers = Object.keys(inputRequests).map((key) => inputResponse(inputResponses, key));
    if (answers.some(({ kind }) => kind === "missing")) return inputRequired({ inputRequests });
    return { content: [text(JSON.stringify(answers))] };
  };

/** Asks one question per round. The sealed state is the only record of earlier answers. */
const rounds =
  (...questions: Record<string, InputRequest>[]): ServedTool["call"] =>
  async (_context, _args, request) => {
    const round = await roundOf(request);
    const answered = Object.keys(questions[round - 1] ?? {}).every(
      (key) => inputResponse(request.inputResponses, key).kind !== "missing",
    );
    const next = answered ? round : round - 1;
    const inputRequests = questions[next];
    if (inputRequests === undefined) return { content: [text("state-ok")] };
    return inputRequired({ inputRequests, requestState: await codec.mint({ round: next + 1 }) });
  };

async function roundOf(request: Request): Promise<number> {
  const state = request.requestState<string>();
  if (state === undefined) return 0;
  try {
    return (await codec.verify(state, { mcpReq: request } as ServerContext)).round;
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "the requestState is not ours");
  }
}

export const INPUT_TOOLS: readonly ServedTool[] = [
  fixtureTool("test_input_required_result_elicitation", asking(QUESTION)),
  fixtureTool("test_streaming_elicitation", asking(QUESTION)),
  fixtureTool("test_input_required_result_sampling", asking({ capital_question: sampling("Capital of France?") })),
  fixtureTool("test_input_required_result_list_roots", asking({ client_roots: inputRequired.listRoots() })),
  fixtureTool("test_input_required_result_request_state", rounds({ confirm: ask("Sure?", "ok", { type: "boolean" }) })),
  fixtureTool(
    "test_input_required_result_tampered_state",
    rounds({ confirm: ask("Sure?", "ok", { type: "boolean" }) }),
  ),
  fixtureTool("test_input_required_result_multiple_inputs", rounds(ALL)),
  fixtureTool(
    "test_input_required_result_multi_round",
    rounds({ step1: ask("Your name?", "name") }, { step2: ask("Your colour?", "color") }),
  ),
  fixtureTool("test_input_required_result_capabilities", async (context, args, request) => {
    const { elicitation, sampling: samples } = declared(request.envelope);
    return asking({
      ...(elicitation === undefined ? {} : QUESTION),
      ...(samples === undefined ? {} : { greeting: sampling("Greet them") }),
    })(context, args, request);
  }),
];

export function askingPrompt({ inputResponses }: Request): GetPromptResult | InputRequiredResult {
  const context = acceptedContent(inputResponses, "user_context")?.context;
  if (context === undefined)
    return inputRequired({ inputRequests: { user_context: ask("Which context?", "context") } });
  return { messages: [{ role: "user", content: { type: "text", text: `In ${context}` } }] };
}
