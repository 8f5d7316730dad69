// Parses the XML that DAV servers respond with (RFC 4918): responses and their properties, which are named in Clark
// notation.
import { SaxesParser } from "saxes";

export interface DavResponse {
  href: string;
  /** The status of the whole resource, if the response states one. In a change report, 404 means deleted. */
  status?: number;
  /** Properties that the server returned, such as `{DAV:}displayname`. */
  properties: ReadonlyMap<string, XmlNode>;
}

interface Multistatus {
  responses: DavResponse[];
  syncToken?: string;
}

export interface XmlNode {
  /** `{namespace}name` */
  name: string;
  attributes: Readonly<Record<string, string>>;
  text: string;
  children: XmlNode[];
}

const DEPTH_MAX = 50;
const NODES_MAX = 2_000_000;
/** XML does not allow these characters, but some servers pass them on from what a phone stored. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const DAV = "DAV:";
export const dav = (name: string): string => `{${DAV}}${name}`;

/**
 * Throws with a reason. Only XML's predefined entities are accepted, so that a small document cannot expand to a large
 * one.
 */
export function parseXml(text: string): XmlNode {
  const parser = new SaxesParser({ xmlns: true });
  const root: XmlNode = { name: "", attributes: {}, text: "", children: [] };
  const open: XmlNode[] = [root];
  let nodes = 0;
  parser.on("error", (error) => {
    throw new Error(`the response is not XML: ${error.message.slice(0, 200)}`);
  });
  parser.on("opentag", ({ uri, local, attributes }) => {
    if (open.length > DEPTH_MAX || ++nodes > NODES_MAX)
      throw new Error("the response is nested too deeply or too large");
    const node: XmlNode = {
      name: `{${uri}}${local}`,
      attributes: Object.fromEntries(Object.values(attributes).map((one) => [one.local, one.value])),
      text: "",
      children: [],
    };
    open.at(-1)!.children.push(node);
    open.push(node);
  });
  parser.on("closetag", () => void open.pop());
  const add = (part: string): void => {
    open.at(-1)!.text += part;
  };
  parser.on("text", add);
  parser.on("cdata", add);
  parser.write(text.replace(/^\ufeff/, "").replace(FORBIDDEN, "")).close();
  const [own] = root.children;
  if (own === undefined) throw new Error("the response is empty");
  return own;
}

export function parseMultistatus(text: string): Multistatus {
  const root = parseXml(text);
  if (root.name !== dav("multistatus")) throw new Error(`expected a list of resources, got ${root.name}`);
  const token = childNamed(root, dav("sync-token"))?.text.trim();
  return {
    responses: root.children.filter(({ name }) => name === dav("response")).flatMap(responseOf),
    ...(token ? { syncToken: token } : {}),
  };
}

export const childNamed = (node: XmlNode | undefined, name: string): XmlNode | undefined =>
  node?.children.find((one) => one.name === name);

/** One response may refer to several resources that share a status. */
function responseOf(node: XmlNode): DavResponse[] {
  const status = statusIn(childNamed(node, dav("status")));
  const properties = new Map<string, XmlNode>();
  for (const propstat of node.children.filter(({ name }) => name === dav("propstat"))) {
    const own = statusIn(childNamed(propstat, dav("status"))) ?? 200;
    if (own < 200 || own > 299) continue;
    for (const property of childNamed(propstat, dav("prop"))?.children ?? []) properties.set(property.name, property);
  }
  return node.children
    .filter(({ name }) => name === dav("href"))
    .map(({ text }) => ({ href: text.trim(), ...(status === undefined ? {} : { status }), properties }));
}

function statusIn(node: XmlNode | undefined): number | undefined {
  const found = /\s(\d{3})(?:\s|$)/.exec(` ${node?.text.replace(/^HTTP\/[\d.]+/, "").trim() ?? ""} `)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Returns the failed preconditions that an error lists (RFC 4918, 16). */
export function conditionsIn(text: string): string[] {
  try {
    const root = parseXml(text);
    return root.name === dav("error") ? root.children.map(({ name }) => name) : [];
  } catch {
    return [];
  }
}
