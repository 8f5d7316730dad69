// Which texts of the owner's data may become links: addresses of the web, and nothing else.

/** Only what a browser takes for a page of the web, written so that it cannot be taken for anything else. */
export function webAddress(text: string): string | undefined {
  if (!/^https?:\/\/\S+$/i.test(text) || text.length > 2000 || !URL.canParse(text)) return undefined;
  const { protocol, href, username, password } = new URL(text);
  return (protocol === "http:" || protocol === "https:") && username === "" && password === "" ? href : undefined;
}
