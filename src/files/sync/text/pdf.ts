// Extracts the text of a PDF page by page, in the order in which the file draws it.
import { getDocumentProxy } from "unpdf";
import type { Extracted } from "./extract.ts";

export async function pdfText(bytes: Uint8Array, most: number): Promise<Extracted> {
  // Executes nothing in the document, and uses no system fonts.
  const document = await getDocumentProxy(new Uint8Array(bytes), {
    verbosity: 0,
    useSystemFonts: false,
    stopAtErrors: false,
  });
  try {
    const pages: string[] = [];
    let length = 0;
    for (let number = 1; number <= document.numPages && length <= most; number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : "")).join("");
      page.cleanup();
      pages.push(text.trim());
      length += text.length;
    }
    return { text: pages.join("\n\n").trim(), isCut: length > most || pages.length < document.numPages };
  } finally {
    await document.loadingTask.destroy();
  }
}
