// For tests: splits a printed command line into words, as a POSIX shell reads single and double quotes.
export function shellWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quoted: string | undefined;
  for (let index = 0; index < line.length; index++) {
    const character = line[index]!;
    if (quoted !== undefined) {
      if (character === quoted) quoted = undefined;
      else word += character;
    } else if (character === "'" || character === '"') {
      quoted = character;
      word ??= "";
    } else if (character === "\\") word = (word ?? "") + line[++index];
    else if (character === " ") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  if (word !== undefined) words.push(word);
  return words;
}
