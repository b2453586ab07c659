import { PDFDocument } from 'pdf-lib';
import { quietProgress } from '../../../test/kit/quiet-progress.js';
import type { Capabilities, PrintOptions, TextSettings } from '../../service/protocol.js';
import type { PrinterProvider, PrintRequest } from '../provider.js';
import { SystemFonts } from '../fonts/system-fonts.js';
import { printDocument, withIgnored, type PrintDocument } from './print-document.js';

const LABEL = { name: 'custom_label_100x150mm', width_mm: 100, height_mm: 150 };
const CAPABILITIES: Capabilities = {
  ...{ content_types: ['pdf', 'raw', 'text'], color: null, duplex: null, papers: [] },
  margins_mm: { top: 5, right: 5, bottom: 5, left: 5 },
};

describe('preparing a document for its printer', () => {
  const prepare = (
    content: string,
    more: Partial<PrintRequest>,
    provider: Partial<PrinterProvider> = { defaultPaper: async () => LABEL },
    capabilities = CAPABILITIES,
  ): Promise<PrintDocument> => {
    const request: PrintRequest = {
      ...{ documentName: 'svc:a:1', printer: 'desk', contentType: 'text', copies: 2 },
      bytes: Buffer.from(content),
      ...more,
    };
    const route = { provider: provider as PrinterProvider, printer: 'desk', capabilities };
    return printDocument(request, route, new SystemFonts(), quietProgress());
  };
  const withText = (content: string, text: TextSettings, options?: PrintOptions) =>
    prepare(content, { text, options });
  const sizes = async ({ request }: PrintDocument) =>
    (await PDFDocument.load(request.bytes)).getPages().map((page) => {
      const { width, height } = page.getSize();
      return [width, height].map((points) => Math.round((points / 72) * 25.4));
    });

  it.each<[string, Partial<PrintRequest>]>([
    ['text of a printer without settings', {}],
    ['PDF', { contentType: 'pdf', text: { mode: 'raw', encoding: 'cp437' } }],
    ['raw bytes', { contentType: 'raw', text: { cut_after: true } }],
  ])('leaves %s as it is', async (_, more) => {
    const { request, ignored } = await prepare('ł', more);
    expect([Buffer.from(request.bytes).toString(), request.contentType, ignored]).toEqual([
      'ł',
      more.contentType ?? 'text',
      [],
    ]);
  });

  it.each<[string, TextSettings, string, string]>([
    ['encodes it, and then it is raw', { encoding: 'cp852' }, 'raw', '88 0a 41'],
    ['sends UTF-8 as raw if asked to', { mode: 'raw' }, 'raw', 'c5 82 0a 41'],
    ['converts line ends only, and it stays text', { line_ending: 'crlf' }, 'text', 'c5 82 0d 0a 41'],
    ['converts line ends to CR', { encoding: 'cp852', line_ending: 'cr' }, 'raw', '88 0d 41'],
    [
      'selects the code page and cuts for ESC/POS',
      { encoding: 'cp852', cut_after: true },
      'raw',
      '1b 40 1c 2e 1b 74 12 88 0a 41 0a 1d 56 42 00',
    ],
    ['cuts text whose encoding is not known', { cut_after: true }, 'raw', '1b 40 c5 82 0a 41 0a 1d 56 42 00'],
    ['does not cut for ESC/POS without a knife', { cut_after: false }, 'raw', '1b 40 c5 82 0a 41 0a'],
  ])('%s', async (_, text, contentType, bytes) => {
    const { request } = await withText('ł\nA', text);
    expect([request.contentType, Buffer.from(request.bytes).toString('hex')]).toEqual([
      contentType,
      bytes.replaceAll(' ', ''),
    ]);
    expect(request.copies).toBe(2);
  });

  it('fails for a letter that the code page lacks if options say refuse', async () => {
    const text: TextSettings = { encoding: 'cp437' };
    await expect(withText('a\nłœ', text, { unsupported: 'refuse' })).rejects.toMatchObject({
      ...{ name: 'NotSubmitted', failureCode: 'GLYPH_MISSING', failureClass: 'permanent' },
      message: 'cp437 lacks ł (U+0142) in line 2, and 1 other letter',
    });
    await expect(withText('a\né', text, { unsupported: 'refuse' })).resolves.toMatchObject({ ignored: [] });
    await expect(withText('ł', text, { unsupported: 'ignore' })).resolves.toMatchObject({
      ignored: [{ option: 'text', reason: 'ł (U+0142) printed as l' }],
    });
  });

  it('refuses options of text that is sent raw, or names them as ignored', async () => {
    const options = { duplex: 'long-edge', unsupported: 'refuse' } as const;
    await expect(withText('a', { mode: 'raw' }, options)).rejects.toMatchObject({
      ...{ failureCode: 'OPTION_NOT_SUPPORTED', failureClass: 'permanent' },
    });
    const { request, ignored } = await withText('a', { mode: 'raw' }, { ...options, unsupported: 'ignore' });
    expect(ignored).toEqual([{ option: 'duplex', reason: expect.any(String) as string }]);
    expect(request.options).toBeUndefined();
  });

  it('draws text as a PDF on the paper of the queue', async () => {
    const document = await withText('Žluťoučký\nкůň', { mode: 'pages', encoding: 'cp437' });
    expect(document.request).toMatchObject({ contentType: 'pdf', copies: 2 });
    expect(await sizes(document)).toEqual([[100, 150]]);
  });

  it('draws it on A4 if the paper is not known', async () => {
    const document = await prepare('a', { text: { mode: 'pages' } }, {});
    expect(await sizes(document)).toEqual([[210, 297]]);
  });

  it('draws it on the paper and in the orientation of the job, and passes its other options on', async () => {
    const options: PrintOptions = {
      ...{ paper: { name: 'iso_a6_105x148mm', width_mm: 105, height_mm: 148 }, orientation: 'landscape' },
      ...{ duplex: 'long-edge', unsupported: 'refuse' },
    };
    const document = await withText('a', { mode: 'pages' }, options);
    expect(await sizes(document)).toEqual([[148, 105]]);
    expect(document.request.options).toEqual({
      ...{ paper: options.paper, duplex: 'long-edge', unsupported: 'refuse' },
    });
  });

  it('leaves drawing to a provider that draws text itself', async () => {
    const text = { mode: 'pages' } as const;
    const { request } = await prepare('a', { text }, { drawsText: true });
    expect(request).toMatchObject({ contentType: 'text', text });
  });

  it.each<[TextSettings, Capabilities['content_types']]>([
    [{ mode: 'pages' }, ['raw', 'text']],
    [{ mode: 'raw' }, ['pdf', 'text']],
  ])('refuses text with %j for a printer that only takes %j', async (text, content_types) => {
    await expect(prepare('a', { text }, {}, { ...CAPABILITIES, content_types })).rejects.toMatchObject({
      ...{ failureCode: 'CONTENT_TYPE_NOT_SUPPORTED', failureClass: 'permanent' },
    });
  });
});

describe('the receipt of a text', () => {
  const replaced = { option: 'text', reason: 'ł (U+0142) printed as l' } as const;
  const ignored = { option: 'duplex', reason: 'one side only' } as const;
  it.each([
    [undefined, [], undefined],
    [undefined, [replaced], { applied: {}, ignored: [replaced] }],
    [
      { applied: { copies: 1 }, ignored: [ignored] },
      [replaced],
      { applied: { copies: 1 }, ignored: [ignored, replaced] },
    ],
  ])('joins %j with %j', (receipt, more, joined) => {
    expect(withIgnored(receipt as Parameters<typeof withIgnored>[0], more)).toEqual(joined);
  });
});
