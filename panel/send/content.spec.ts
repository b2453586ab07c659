import { contentOf, curlOf, guessOf, kindOf } from './content.js';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('a document to send', () => {
  it('is a PDF if it begins like one', () => {
    expect(kindOf(bytes('%PDF-1.7 …'))).toBe('pdf');
    expect(kindOf(bytes('PDF-1.7'))).toBeUndefined();
    expect(kindOf(bytes(''))).toBeUndefined();
  });

  it.each([
    ['label.txt', '^XA^FO50,50^FS^XZ', 'raw'],
    ['label.txt', '\nN\nA50,0,0,1,1,1,N,"Hi"\nP1\n', 'raw'],
    ['receipt', '\x1b@Hello', 'raw'],
    ['page', '%!PS-Adobe-3.0', 'raw'],
    ['LABEL.ZPL', 'anything', 'raw'],
    ['menu.txt', 'Soup ^XA', 'text'],
    ['menu.txt', 'Noodles\n', 'text'],
    ['empty', '', 'text'],
  ])('%s with %j seems to be %s', (name, begin, kind) => {
    expect(guessOf(name, bytes(begin))).toBe(kind);
  });

  it('is sent as text only if it is UTF-8', () => {
    expect(contentOf(bytes('Grüße'), 'text')).toEqual({ type: 'text', encoding: 'utf8', data: 'Grüße' });
    expect(() => contentOf(Uint8Array.of(0xff, 0xfe), 'text')).toThrow('no UTF-8 text');
  });

  it('is sent in base64 otherwise, however large', () => {
    const large = Uint8Array.from({ length: 100_000 }, (_, n) => n % 256);
    const { data, type } = contentOf(large, 'raw');
    expect([type, [...atob(data)].map((letter) => letter.charCodeAt(0))]).toEqual(['raw', [...large]]);
  });

  it('is shown as a command that a shell reads as one text', () => {
    const body = { printer_id: 'p', content: { type: 'text', encoding: 'utf8', data: "it's" } };
    expect(curlOf('http://127.0.0.1:3000', body)).toContain(String.raw`it'\''s`);
  });
});
