// Content that the conformance suite expects on a server: one item of every kind, under the suite's names.
import type { ContentBlock, Prompt, PromptMessage, ReadResourceResult, Resource } from "@modelcontextprotocol/server";

/** One red pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** A sample of silence. */
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

export const text = (words: string): ContentBlock => ({ type: "text", text: words });
const image: ContentBlock = { type: "image", data: PNG, mimeType: "image/png" };

export const CONTENT_TOOLS: Record<string, ContentBlock[]> = {
  test_image_content: [image],
  test_audio_content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }],
  test_embedded_resource: [embedded("test://embedded-resource", "text/plain", "Embedded.")],
  test_multiple_content_types: [
    text("Several kinds:"),
    image,
    embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ],
};

export const RESOURCES: readonly Resource[] = [
  { uri: "test://static-text", name: "static-text", description: "Text", mimeType: "text/plain" },
  { uri: "test://static-binary", name: "static-binary", description: "A picture", mimeType: "image/png" },
  { uri: "test://watched-resource", name: "watched", description: "To subscribe to", mimeType: "text/plain" },
];

export const TEMPLATES = [{ name: "template", uriTemplate: "test://template/{id}/data", mimeType: "application/json" }];

export function readFixture(uri: string): ReadResourceResult | undefined {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) {
    return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify({ id, data: `Data of ${id}` }) }] };
  }
  const resource = RESOURCES.find((known) => known.uri === uri);
  if (resource === undefined) return undefined;
  const { mimeType } = resource;
  return { contents: [mimeType === "image/png" ? { uri, mimeType, blob: PNG } : { uri, mimeType, text: "Static." }] };
}

const argument = (name: string) => ({ name, description: `Argument ${name}`, required: true });

export const PROMPTS: readonly Prompt[] = [
  { name: "test_simple_prompt", description: "Words" },
  { name: "test_prompt_with_arguments", description: "Takes two", arguments: [argument("arg1"), argument("arg2")] },
  { name: "test_prompt_with_embedded_resource", description: "Embeds", arguments: [argument("resourceUri")] },
  { name: "test_prompt_with_image", description: "Shows" },
  { name: "test_input_required_result_prompt", description: "Asks first" },
];

export function promptMessages(name: string, args: Record<string, string>): PromptMessage[] | undefined {
  const user = (content: ContentBlock): PromptMessage => ({ role: "user", content });
  if (name === "test_simple_prompt") return [user(text("A simple prompt."))];
  if (name === "test_prompt_with_arguments") return [user(text(`arg1='${args.arg1}', arg2='${args.arg2}'`))];
  if (name === "test_prompt_with_image") return [user(image), user(text("Look at it."))];
  if (name !== "test_prompt_with_embedded_resource") return undefined;
  return [user(embedded(args.resourceUri!, "text/plain", "Embedded.")), user(text("Read it."))];
}

function embedded(uri: string, mimeType: string, words: string): ContentBlock {
  return { type: "resource", resource: { uri, mimeType, text: words } };
}
