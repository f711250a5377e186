/** Where in the shown file a program failed, read from its traceback. */

export interface ErrorPlace {
  readonly line: number;
  /** What happened, without the stack. */
  readonly text: string;
}

/** The innermost line of `file` in a Python traceback, and its last lines that are no stack; null when the file is not in it. */
export function errorPlace(errorText: string | null, file: string): ErrorPlace | null {
  if (errorText === null) return null;
  const lines = errorText.trimEnd().split("\n");
  let line: number | null = null;
  let lastFrame = -1;
  for (const [index, text] of lines.entries()) {
    const frame = /^ {2}File "(.*)", line (\d+)/.exec(text);
    if (frame === null) continue;
    lastFrame = index;
    if (frame[1] === file) line = Number(frame[2]);
  }
  if (line === null) return null;
  // behind the last frame come its source, marks below it, and then the message at the margin
  const message = lines.slice(lastFrame + 1).filter((text) => !/^ {4}/.test(text));
  return { line, text: shortened(message.join("\n")) };
}

/** More than this is a page under a line; all of it stands in the output. */
const MOST_CHARACTERS = 240;

function shortened(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const start = text.slice(0, MOST_CHARACTERS);
  const end = start.search(/[.!?]\s[^.!?]*$/);
  return `${end === -1 ? start : start.slice(0, end + 1)} …`;
}
