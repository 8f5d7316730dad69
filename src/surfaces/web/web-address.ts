// Decides which texts in the owner's data may become links: only web addresses.

/** Accepts only unambiguous addresses that a browser treats as a web page. */
export function webAddress(text: string): string | undefined {
  if (!/^https?:\/\/\S+$/i.test(text) || text.length > 2000 || !URL.canParse(text)) return undefined;
  const { protocol, href, username, password } = new URL(text);
  return (protocol === "http:" || protocol === "https:") && username === "" && password === "" ? href : undefined;
}
