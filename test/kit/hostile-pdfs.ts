import { constants, deflateRawSync, deflateSync } from 'node:zlib';

const A4 = '[0 0 595 842]';
/** Flate compresses a run of equal bytes to a thousandth, twice to a millionth. */
const ZLIB_HEAD = Buffer.from([0x78, 0xda]);
/** An empty last block. Readers of PDF do without the checksum. */
const ZLIB_END = Buffer.from([0x03, 0x00]);
const TWICE = '/Filter [/FlateDecode /FlateDecode]';

/** 3 KB whose content stream inflates to 3 GB. */
export function inflatingPdf(): Buffer {
  return pdfOf(twiceDeflated(' ', 3072), TWICE);
}

const point = (n: number): string => `${(n * 7919) % 595} ${(n * 104_729) % 842}`;
const curve = (n: number): string => `${point(3 * n)} ${point(3 * n + 1)} ${point(3 * n + 2)} c`;
const curves = (count: number, drawn: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => drawn(n)).join('\n');

/** A page of broad curves, each painted alone, which takes minutes to draw in little memory. */
export function endlessPdf(): Buffer {
  const painted = curves(100_000, (n) => `${point(n)} m ${curve(n)} S`);
  return pdfOf(deflateSync(`50 w\n${painted}`), '/Filter /FlateDecode');
}

/** A page of curves in tiny dashes, each painted alone: it takes minutes at every resolution. */
export function dashedPdf(): Buffer {
  const painted = curves(4_000, (n) => `${point(n)} m ${curve(n)} S`);
  return pdfOf(deflateSync(`0.1 w [0.01] 0 d\n${painted}`), '/Filter /FlateDecode');
}

/** A page with one black and white image of `side` by `side` pixels, in a few KB. */
export function vastImagePdf(side: number): Buffer {
  const rows = twiceDeflated('\xaa', Math.ceil((side * side) / 8 / 2 ** 20));
  const size = `/Width ${side} /Height ${side} /BitsPerComponent 1 /ColorSpace /DeviceGray`;
  const image = stream(rows, `/Type /XObject /Subtype /Image ${size} ${TWICE}`);
  return pdfOf(Buffer.from('595 0 0 842 0 0 cm /Im Do'), '', '/XObject << /Im 5 0 R >>', image);
}

/** A run of one character: one deflated piece of a megabyte, repeated, then deflated once more. */
function twiceDeflated(character: string, megabytes: number): Buffer {
  const run = Buffer.alloc(2 ** 20, character, 'latin1');
  const piece = deflateRawSync(run, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const pieces = Array.from({ length: megabytes }, () => piece);
  return deflateSync(Buffer.concat([ZLIB_HEAD, ...pieces, ZLIB_END]), { level: 9 });
}

function pdfOf(content: Buffer, filter: string, resources = '', ...more: Buffer[]): Buffer {
  const bodies = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from(
      `<< /Type /Page /Parent 2 0 R /MediaBox ${A4} /Resources << ${resources} >> /Contents 4 0 R >>`,
    ),
    stream(content, filter),
    ...more,
  ];
  let file = Buffer.from('%PDF-1.7\n');
  const offsets: number[] = [];
  for (const [index, body] of bodies.entries()) {
    offsets.push(file.length);
    file = Buffer.concat([file, Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = bodies.length + 1;
  return Buffer.concat([
    file,
    Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${entries}`),
    Buffer.from(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`),
  ]);
}

function stream(bytes: Buffer, entries: string): Buffer {
  const head = `<< /Length ${bytes.length} ${entries} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\nendstream')]);
}
