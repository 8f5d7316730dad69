// The process that extracts text from files. It replies to each message with the text found in the bytes.
import type { SandboxedWork } from "../../../sandbox/work.ts";
import { extract, type PictureReader } from "./extract.ts";
import type { TextFormat } from "./formats.ts";
import type { Recogniser } from "./recognise.ts";
import type { TextRecognition } from "./recognition.ts";
import type { ExtractReply } from "./text-process.ts";

export const work: SandboxedWork = (start, tell) => {
  const { recognition } = start as { recognition?: TextRecognition };
  const reply = (answer: ExtractReply): void => tell(answer);
  const reader = recognition && pictureReader(recognition, () => reply({ beat: true }));
  return (message, bytes) =>
    void extract((message as { format: TextFormat }).format, bytes, reader).then(reply, (error: Error) =>
      reply({ problem: error.message }),
    );
};

/** Loads recognition with the first picture. `beat` reports that a page is done. */
function pictureReader(recognition: TextRecognition, beat: () => void): PictureReader {
  const { pdf } = recognition;
  let opening: Promise<Recogniser> | undefined;
  const textOf = async (picture: Uint8Array): Promise<string> => {
    opening ??= import("./recognise.ts").then(({ openRecogniser }) => openRecogniser(recognition));
    const text = (await opening).textOf(picture);
    beat();
    return text;
  };
  if (pdf === undefined) return { textOf };
  return {
    textOf,
    async *pdfPictures(bytes) {
      const { pdfPictures } = await import("./pdf-pictures.ts");
      yield* pdfPictures(pdf, bytes);
    },
  };
}
