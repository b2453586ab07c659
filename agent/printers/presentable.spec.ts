import type { Capabilities, InventoryPrinter } from '../service/protocol.js';
import { presentable } from './presentable.js';

const printer = (name: string, more: Partial<InventoryPrinter> = {}): InventoryPrinter => ({
  printer_key: `winspool:${name}`,
  name,
  is_default: false,
  is_virtual: false,
  online: true,
  capabilities: { content_types: ['pdf'], color: null, duplex: null, papers: [] },
  ...more,
});
const inventory = (...printers: InventoryPrinter[]) => presentable(printers, () => false);

describe('presenting printers to the service', () => {
  it('leaves an ordinary inventory as it is', () => {
    const printers = [printer('Office'), printer('Büro 2', { driver: 'HP 9000', port: 'USB001' })];

    const takes = new Map(printers.map(({ printer_key: key }) => [key, undefined]));
    expect(inventory(...printers)).toEqual({ printers, leftOut: [], troubles: new Map(), takes });
  });

  it.each([
    ['HP\tLaserJet', 'HP LaserJet'],
    ['a\r\n\u0000b\u2028c', 'a b c'],
    ['half \ud83d of a pair', 'half \ufffd of a pair'],
    ['  padded \u0007', 'padded'],
    ['\t ', undefined],
    ['😀'.repeat(300), '😀'.repeat(255)],
  ])('cleans %j in drivers and ports', (given, driver) => {
    const [shown] = inventory(printer('Office', { driver: given, port: given })).printers;

    expect(shown).toMatchObject({ printer_key: 'winspool:Office', driver, port: driver });
  });

  it.each([
    ['Till\t1', 'Till 1'],
    ['\u0000', 'Office'],
    ['x'.repeat(181), 'x'.repeat(180)],
  ])('cleans the name %j and keeps the key', (given, name) => {
    const shown = inventory(printer('Office', { name: given })).printers;

    expect(shown).toMatchObject([{ printer_key: 'winspool:Office', name }]);
  });

  it('names a printer that has only blanks', () => {
    expect(inventory(printer(' ')).printers).toMatchObject([{ printer_key: 'winspool: ', name: 'Printer' }]);
  });

  it.each([
    ['a\tb', 'printer "winspool:a\\tb" is left out: its name has control characters'],
    ['\ud83d', 'printer "winspool:\\ud83d" is left out: its name has control characters'],
    ['q'.repeat(192), `printer "winspool:${'q'.repeat(192)}" is left out: its name is too long`],
    ['good', 'printer "winspool:good" is left out: its name occurs twice'],
  ])('leaves out only the printer whose key %j the service would refuse', (name, reason) => {
    const { printers, leftOut } = inventory(printer('good'), printer(name), printer('other'));

    expect(printers.map((one) => one.name)).toEqual(['good', 'other']);
    expect(leftOut).toEqual([reason]);
  });

  it('keeps keys of 200 characters', () => {
    expect(inventory(printer('q'.repeat(191))).printers).toHaveLength(1);
  });

  it('keeps 100 papers and trays, each of at most 120 characters, and 50 resolutions', () => {
    const names = ['iso\ta4', 'x'.repeat(121), '', ...Array.from({ length: 101 }, (_, n) => `p${n}`)];
    const resolutions_dpi = [0, 203.5, 20_000, ...Array.from({ length: 60 }, (_, n) => 100 + n)];
    const capabilities: Capabilities = {
      ...{ content_types: ['pdf'], color: null, duplex: null, papers: names, trays: names, resolutions_dpi },
    };
    const [shown] = inventory(printer('Office', { capabilities })).printers;

    const kept = ['iso a4', ...names.slice(3, 102)];
    expect(shown?.capabilities).toMatchObject({ papers: kept, trays: kept });
    expect(shown?.capabilities.resolutions_dpi).toEqual(resolutions_dpi.slice(3, 53));
  });

  it.each([
    [-0.1, undefined],
    [5000.1, undefined],
    [NaN, undefined],
    [Infinity, undefined],
    [5000, { top: 0, right: 4.2, bottom: 5000, left: 0 }],
  ])('keeps margins of 0 to 5000 mm, and leaves all out for %d', (bottom, margins_mm) => {
    const given = { top: 0, right: 4.2, bottom, left: 0 };
    const capabilities: Capabilities = {
      ...{ content_types: ['pdf'], color: null, duplex: null, papers: [], margins_mm: given },
    };
    const [shown] = inventory(printer('Office', { capabilities })).printers;
    expect(shown?.capabilities.margins_mm).toEqual(margins_mm);
  });

  it('keeps 500 printers: those of the last inventory, then by their keys', () => {
    const many = Array.from({ length: 510 }, (_, n) => printer(`p${String(n).padStart(3, '0')}`));
    const known = 'winspool:p509';
    const { printers, leftOut } = presentable(many.toReversed(), (key) => key === known);

    const keys = printers.map(({ printer_key }) => printer_key);
    expect(keys).toEqual([known, ...many.slice(0, 499).map(({ printer_key }) => printer_key)]);
    expect(leftOut).toEqual(['10 printers are left out: an inventory has at most 500']);
  });
});
