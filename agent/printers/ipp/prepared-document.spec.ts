import { quietProgress } from '../../../test/kit/quiet-progress.js';
import type { PdfTool } from '../pdf/pdf-process.js';
import { NotSubmitted, type PrintRequest } from '../provider.js';
import { prepareDocument } from './prepared-document.js';
import { printerFacts } from './printer-facts.js';

const PICTURES = Buffer.from('pictures');
const request: PrintRequest = {
  ...{ documentName: 'svc:a:1', printer: 'office', contentType: 'pdf', copies: 1 },
  bytes: Buffer.from('%PDF-'),
};
/** 1200 dpi by default. */
const facts = printerFacts(
  new Map([['printer-resolution-default', [{ x: 1200, y: 1200, units: 3 }]]]) as never,
);

/** What a queue of CUPS gets, and at which resolutions its pages were drawn. */
async function prepared(more: Partial<PdfTool>, document = request) {
  const drawn: number[] = [];
  const pdf: PdfTool = {
    pageSizes: () => Promise.resolve([[595, 842]]),
    arrange: (bytes) => Promise.resolve({ bytes, scale: 1, isCut: false }),
    checkDrawable: () => Promise.resolve(),
    needsDrawing: () => Promise.resolve(true),
    picturedPages: (_, { dpi }) => Promise.resolve((drawn.push(dpi), PICTURES)),
    ...more,
  };
  const { signal, moved } = quietProgress();
  const withPdf = <T>(_: AbortSignal, use: (tool: PdfTool) => Promise<T>): Promise<T> => use(pdf);
  const { bytes } = await prepareDocument(document, facts, { withPdf, signal, moved, throughFilters: true });
  return { bytes: Buffer.from(bytes).toString(), drawn };
}

describe('a document that leaves something to who draws it', () => {
  it('is sent as pictures, at most at 600 dpi', async () => {
    expect(await prepared({})).toEqual({ bytes: 'pictures', drawn: [600] });
  });

  it('is sent as smaller pictures if they are too large', async () => {
    const asked: number[] = [];
    const picturedPages: PdfTool['picturedPages'] = (_, { dpi }) =>
      Promise.resolve((asked.push(dpi), dpi > 300 ? undefined : PICTURES));
    expect((await prepared({ picturedPages })).bytes).toBe('pictures');
    expect(asked).toEqual([600, 300]);
  });

  it.each<[string, PdfTool['picturedPages']]>([
    ['are too large', () => Promise.resolve(undefined)],
    ['cannot be drawn', () => Promise.reject(new NotSubmitted('RENDER_FAILED', 'too long', 'permanent'))],
  ])('is sent itself if pictures %s', async (_, picturedPages) => {
    expect((await prepared({ picturedPages })).bytes).toBe('%PDF-');
  });

  it('is sent itself if its units are no points', async () => {
    const bytes = Buffer.from('%PDF- /UserUnit 5');
    expect((await prepared({}, { ...request, bytes })).bytes).toBe('%PDF- /UserUnit 5');
  });

  it('is refused for a letter that no font has', async () => {
    const missing = new NotSubmitted('GLYPH_MISSING', 'page 1 has', 'permanent');
    const refused = prepared({ needsDrawing: () => Promise.reject(missing) });
    await expect(refused).rejects.toMatchObject({ failureCode: 'GLYPH_MISSING' });
  });
});

describe('a document that every printer draws alike', () => {
  it('is sent itself without options', async () => {
    expect(await prepared({ needsDrawing: () => Promise.resolve(false) })).toEqual({
      bytes: '%PDF-',
      drawn: [],
    });
  });
});
