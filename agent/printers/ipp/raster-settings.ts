import { RASTER_TYPES, type RasterSettings } from '../pdf/pwg-raster.js';
import { NotSubmitted } from '../provider.js';
import type { Prepared } from './prepared-document.js';
import { nameOf, resolutionsOf, texts, type PrinterFacts } from './printer-facts.js';

const MAX_DPI = 600;

/**
 * Raster has resolutions of its own.
 * @throws NotSubmitted if none of them is equal in both directions
 */
export function withRasterResolutions(facts: PrinterFacts): PrinterFacts {
  const resolutions = resolutionsOf(facts.attributes, 'pwg-raster-document-resolution-supported');
  if (resolutions.length > 0) return { ...facts, resolutions };
  throw new NotSubmitted('SPOOLER_REFUSED', 'the printer tells no resolution that pages have', 'permanent');
}

/** @param facts of `withRasterResolutions` */
export function rasterSettings({ attributes, sheet }: Prepared, facts: PrinterFacts): RasterSettings {
  const valueOf = (name: string): unknown => attributes.find((given) => given.name === name)?.values[0];
  const asked = valueOf('printer-resolution');
  const wanted = typeof asked === 'object' && asked && 'x' in asked ? (asked.x as number) : undefined;
  const usual = facts.resolutions.filter((dpi) => dpi <= MAX_DPI);
  const sides = valueOf('sides') ?? texts(facts.attributes, 'sides-default')[0] ?? 'one-sided';
  const types = texts(facts.attributes, 'pwg-raster-document-type-supported');
  const isGray = valueOf('print-color-mode') === 'monochrome';
  const type = RASTER_TYPES.find((name) => types.includes(name) && !(isGray && name === 'srgb_8'));
  return {
    dpi: wanted ?? Math.max(...(usual.length > 0 ? usual : facts.resolutions)),
    type: type ?? 'sgray_8',
    sheetName: sheet ? nameOf(sheet, facts) : '',
    isDuplex: sides !== 'one-sided',
    isTumble: sides === 'two-sided-short-edge',
    sheetBack: texts(facts.attributes, 'pwg-raster-document-sheet-back')[0] ?? 'normal',
  };
}
