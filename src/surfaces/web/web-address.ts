// Which texts of the owner's data may become links: web addresses, and nothing else.

/** Only what a browser treats as a web page, in an unambiguous form. */
export function webAddress(text: string): string | undefined {
  if (!/^https?:\/\/\S+$/i.test(text) || text.length > 2000 || !URL.canParse(text)) return undefined;
  const { protocol, href, username, password } = new URL(text);
  return (protocol === "http:" || protocol === "https:") && username === "" && password === "" ? href : undefined;
}
