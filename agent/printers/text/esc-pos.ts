import type { TextEncoding } from '../../service/protocol.js';

const ESC = 0x1b;
const FS = 0x1c;
const GS = 0x1d;
const RESET = [ESC, 0x40];
const SINGLE_BYTES = [FS, 0x2e];
const DOUBLE_BYTES = [FS, 0x26];
/** Feeds the last line past the knife and cuts. */
const FEED_AND_CUT = [GS, 0x56, 66, 0];

/** Parameters of ESC t in Epson's printers, which most others follow. */
const TABLES: Partial<Record<TextEncoding, number>> = {
  ...{ cp437: 0, cp850: 2, 'windows-1252': 16, cp866: 17, cp852: 18, cp858: 19, 'iso8859-15': 40 },
};

/** Wraps encoded text for a printer that understands ESC/POS: it selects the code page, and cuts if asked to. */
export function escPosDocument(text: Buffer, encoding: TextEncoding | undefined, cut: boolean): Buffer {
  const isEnded = text.at(-1) === 0x0a || text.at(-1) === 0x0d;
  return Buffer.concat([
    Buffer.from([...RESET, ...selection(encoding)]),
    text,
    // The printer holds a line back until it ends.
    Buffer.from([...(isEnded ? [] : [0x0a]), ...(cut ? FEED_AND_CUT : [])]),
  ]);
}

function selection(encoding: TextEncoding | undefined): number[] {
  switch (encoding) {
    case undefined:
      return [];
    case 'utf-8':
      return [FS, 0x28, 0x43, 2, 0, 48, 2]; // FS ( C: one byte or UTF-8.
    case 'shift_jis':
      return [...DOUBLE_BYTES, FS, 0x43, 1];
    case 'gb18030':
      return DOUBLE_BYTES;
    default:
      return [...SINGLE_BYTES, ESC, 0x74, TABLES[encoding] ?? 0];
  }
}
