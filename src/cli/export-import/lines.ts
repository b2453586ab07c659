export interface Line {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
  readonly bytes: number;
}

/** Splits a stream of text into its non-empty lines. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array | string>): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let number = 0;
  const line = (text: string): Line => ({ number, text, bytes: Buffer.byteLength(text) });
  for await (const piece of pieces) {
    rest += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop()!;
    for (const text of lines) {
      number++;
      if (text.trim() !== '') yield line(text);
    }
  }
  number++;
  if (rest.trim() !== '') yield line(rest);
}

/** Groups lines up to both limits; a longer line gets its own page. */
export async function* pagesOf(
  lines: AsyncIterable<Line>,
  most: { readonly lines: number; readonly bytes: number },
): AsyncGenerator<readonly Line[]> {
  let page: Line[] = [];
  let bytes = 0;
  for await (const line of lines) {
    if (page.length === most.lines || (page.length > 0 && bytes + line.bytes > most.bytes)) {
      yield page;
      page = [];
      bytes = 0;
    }
    page.push(line);
    bytes += line.bytes;
  }
  if (page.length > 0) yield page;
}
