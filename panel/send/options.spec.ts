import type { PrinterCapabilities } from '../../sdk/src/generated/integration.js';
import { choicesOf, paperName, withOption } from './options.js';

const label: PrinterCapabilities = {
  content_types: ['pdf', 'raw'],
  color: false,
  duplex: false,
  papers: ['iso_a6_105x148mm', 'custom_min_25x10mm', 'custom_max_110x900mm'],
  options: ['paper', 'tray', 'duplex', 'color', 'scale'],
};

describe('the options of a printer', () => {
  it('are those that it can apply, with the values that it has', () => {
    expect(choicesOf(label).map(({ name, values }) => [name, values.map(([value]) => value)])).toEqual([
      ['paper', ['iso_a6_105x148mm']],
      ['duplex', ['one-sided']],
      ['color', [false]],
      ['scale', ['actual', 'shrink', 'fit']],
    ]);
  });

  it('are none if its Agent names none', () => {
    expect([choicesOf(undefined), choicesOf({ ...label, options: undefined })]).toEqual([[], []]);
  });

  it('are sent only if chosen', () => {
    const chosen = withOption(withOption(undefined, 'scale', 'actual'), 'rotate', 90);
    expect(chosen).toEqual({ scale: 'actual', rotate: 90 });
    expect(withOption(withOption(chosen, 'rotate', undefined), 'scale', undefined)).toBeUndefined();
  });

  it.each([
    ['iso_a4_210x297mm', 'A4, 210 × 297 mm'],
    ['na_letter_8.5x11in', 'Letter, 8.5 × 11 in'],
    ['custom_shipping-label_100x150mm', 'Shipping label, 100 × 150 mm'],
    ['Roll', 'Roll'],
  ])('show the paper %s as %s', (name, shown) => {
    expect(paperName(name)).toBe(shown);
  });
});
