import type { Capabilities, Lease } from '../service/protocol.js';
import { Printers } from './printers.js';
import type { PrinterProvider } from './provider.js';

const provider = { name: 'direct' } as PrinterProvider;
const lease = { printer_key: 'direct:office', content_type: 'text' } as Lease;
const printersWith = (content_types: Capabilities['content_types']): Printers => {
  const capabilities = { content_types, color: null, duplex: null, papers: [] };
  const known = { printer_key: 'direct:office', name: 'office', is_default: false, is_virtual: false };
  return new Printers([provider], [{ ...known, online: false, capabilities }]);
};

describe('the way to a printer', () => {
  it('is refused for a type that the printer does not list', () => {
    expect(() => printersWith(['pdf']).routeFor(lease)).toThrow('cannot print text');
    expect(printersWith(['text']).routeFor(lease)).toMatchObject({ provider, printer: 'office' });
  });

  it('is open while the printer lists nothing, because it has not answered yet', () => {
    expect(printersWith([]).routeFor(lease)).toMatchObject({ provider, printer: 'office' });
  });
});
