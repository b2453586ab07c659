import type { Printer } from '../devices/index.js';
import { OPTION_NAMES, type PrintOptions } from './domain/print-options.js';
import { unsupportedOptions } from './print-target.js';

type Capabilities = NonNullable<Printer['capabilities']>;

const LABELS = ['iso_a6_105x148mm', 'custom_min_25x20mm', 'custom_max_108x300mm'];
const printer: Capabilities = {
  contentTypes: ['pdf'],
  color: false,
  duplex: false,
  papers: LABELS,
  trays: ['main', 'manual'],
  resolutionsDpi: [203, 300],
  options: OPTION_NAMES,
};
const refused = (options: PrintOptions, more: Partial<Capabilities> = {}) =>
  unsupportedOptions(options, { ...printer, ...more }).map(({ option, allowed }) => [option, ...allowed]);

describe('comparing options with the capabilities of a printer', () => {
  it.each<[PrintOptions]>([
    [{ paper: 'A6' }],
    [{ paper: 'a6' }],
    [{ paper: 'iso_a6_105x148mm' }],
    [{ paper: 'om_card_105.4x147.6mm' }],
    [{ paper: { width_mm: 105, height_mm: 148 } }],
    [{ paper: { width_mm: 25, height_mm: 20 } }],
    [{ paper: { width_mm: 108.5, height_mm: 300.5 } }],
    [{ tray: 'manual' }],
    [{ duplex: 'one-sided' }],
    [{ color: false }],
    [{ resolution_dpi: 300 }],
    [{ scale: 'actual', orientation: 'landscape', rotate: 90, pages: '2-', collate: false }],
  ])('allows %j', (options) => {
    expect(refused(options)).toEqual([]);
  });

  it.each<[PrintOptions, ...unknown[]]>([
    [{ paper: 'A4' }, 'paper', ...LABELS],
    [{ paper: 'Large label' }, 'paper', ...LABELS],
    [{ paper: { width_mm: 24, height_mm: 100 } }, 'paper', ...LABELS],
    [{ paper: { width_mm: 100, height_mm: 301 } }, 'paper', ...LABELS],
    [{ tray: 'upper' }, 'tray', 'main', 'manual'],
    [{ duplex: 'long-edge' }, 'duplex', 'one-sided'],
    [{ color: true }, 'color', false],
    [{ resolution_dpi: 600 }, 'resolution_dpi', 203, 300],
  ])('refuses %j and names the allowed values', (options, ...expected) => {
    expect(refused(options)).toEqual([expected]);
  });

  it('refuses each option that the printer does not name', () => {
    const options = { paper: 'A6', pages: '1' };
    expect(refused(options, { options: ['pages'] })).toEqual([['paper']]);
    expect(refused(options, { options: undefined })).toEqual([['paper'], ['pages']]);
  });

  it('needs both bounds of a range, and a sheet turned by 90 degrees is another sheet', () => {
    expect(refused({ paper: { width_mm: 50, height_mm: 50 } }, { papers: LABELS.slice(0, 2) })).toHaveLength(
      1,
    );
    expect(
      refused({ paper: { width_mm: 148, height_mm: 105 } }, { papers: ['iso_a6_105x148mm'] }),
    ).toHaveLength(1);
  });

  it('takes names of older agents, and those of the printer itself', () => {
    expect(refused({ paper: { width_mm: 210, height_mm: 297 } }, { papers: ['A4'] })).toEqual([]);
    expect(refused({ paper: 'Roll 80' }, { papers: ['Roll 80'] })).toEqual([]);
  });

  it('excludes nothing that is not known', () => {
    const unknown = { papers: [], trays: undefined, resolutionsDpi: undefined, duplex: null, color: null };
    const options: PrintOptions = {
      paper: 'A4',
      tray: 'x',
      resolution_dpi: 999,
      duplex: 'long-edge',
      color: true,
    };
    expect(refused(options, unknown)).toEqual([]);
    expect(unsupportedOptions(options, null)).toEqual([]);
  });
});
