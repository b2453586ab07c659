import type { Applied, IgnoredOption, OptionName, PrintOptions } from '../../service/protocol.js';
import { attribute } from './ipp-client.js';
import { Tag, type IppAttribute, type IppAttributes } from './ipp-message.js';
import {
  collates,
  collections,
  nameOf,
  resolutionsOf,
  sheetOf,
  texts,
  type IppSheet,
  type PrinterFacts,
} from './printer-facts.js';

const SIDES = {
  'one-sided': 'one-sided',
  'long-edge': 'two-sided-long-edge',
  'short-edge': 'two-sided-short-edge',
} as const;
type Duplex = keyof typeof SIDES;
const GRAY_MODES = ['monochrome', 'process-monochrome', 'auto-monochrome'];
/** Job attributes that say what became of a job's options. */
export const CONFIRMED = ['media', 'media-col', 'sides', 'print-color-mode', 'printer-resolution'];

/** Options by the attributes that carry them. */
const OPTIONS: Readonly<Record<string, OptionName>> = {
  ...{ media: 'paper', 'media-col': 'paper', 'media-size': 'paper', 'media-source': 'tray', sides: 'duplex' },
  ...{ 'print-color-mode': 'color', 'print-scaling': 'scale', 'page-ranges': 'pages' },
  ...{ 'orientation-requested': 'orientation', 'multiple-document-handling': 'collate' },
  ...{ 'printer-resolution': 'resolution_dpi' },
};

/** What an option was turned into; of an option that the printer cannot apply only the reason. */
interface Translated {
  readonly attributes: IppAttribute[];
  readonly unsupported: IgnoredOption[];
}

/** Translates what concerns the printer itself. `sheet` is the one that the pages were placed on, or that was asked for. */
export function jobAttributes(
  options: PrintOptions | undefined,
  facts: PrinterFacts,
  sheet: IppSheet | undefined,
  copies: number,
): Translated {
  const unsupported: IgnoredOption[] = [];
  const attributes = [
    ...mediaCol(options?.tray, facts, sheet, unsupported),
    ...keyword('sides', options?.duplex && SIDES[options.duplex], facts.sides, 'duplex', unsupported),
    ...colorMode(options?.color, facts, unsupported),
    ...resolution(options?.resolution_dpi, facts, unsupported),
    ...(copies > 1 ? [attribute('copies', Tag.integer, copies)] : []),
    ...(copies > 1 ? collation(options, facts, unsupported) : []),
  ];
  return { attributes, unsupported };
}

function mediaCol(
  tray: string | undefined,
  facts: PrinterFacts,
  sheet: IppSheet | undefined,
  unsupported: IgnoredOption[],
): IppAttribute[] {
  const members: IppAttribute[] = [];
  if (sheet) {
    const size = [
      attribute('x-dimension', Tag.integer, sheet.width),
      attribute('y-dimension', Tag.integer, sheet.height),
    ];
    members.push(attribute('media-size', Tag.collection, size));
  }
  members.push(...keyword('media-source', tray, facts.trays, 'tray', unsupported));
  return members.length > 0 ? [attribute('media-col', Tag.collection, members)] : [];
}

function colorMode(
  color: boolean | undefined,
  { colorModes }: PrinterFacts,
  unsupported: IgnoredOption[],
): IppAttribute[] {
  if (color === undefined) return [];
  const mode = color ? 'color' : (colorModes.find((name) => GRAY_MODES.includes(name)) ?? 'monochrome');
  return keyword('print-color-mode', mode, colorModes, 'color', unsupported);
}

function resolution(
  dpi: number | undefined,
  { resolutions }: PrinterFacts,
  unsupported: IgnoredOption[],
): IppAttribute[] {
  if (dpi === undefined) return [];
  if (resolutions.includes(dpi)) return [attribute('printer-resolution', Tag.resolution, { x: dpi, y: dpi })];
  unsupported.push({ option: 'resolution_dpi', reason: lacks(`${dpi} dpi`, resolutions.map(String)) });
  return [];
}

/** Filters of CUPS and printers alike collate copies on both sides of a sheet in any case. */
function collation(
  options: PrintOptions | undefined,
  facts: PrinterFacts,
  unsupported: IgnoredOption[],
): IppAttribute[] {
  const collate = options?.collate ?? true;
  const sides = options?.duplex ? SIDES[options.duplex] : texts(facts.attributes, 'sides-default')[0];
  if (!collate && sides?.startsWith('two-sided'))
    unsupported.push({ option: 'collate', reason: 'copies on both sides are always collated' });
  if (collates(facts)) {
    const handling = `separate-documents-${collate ? 'collated' : 'uncollated'}-copies`;
    return [attribute('multiple-document-handling', Tag.keyword, handling)];
  }
  if (options?.collate !== undefined)
    unsupported.push({ option: 'collate', reason: 'the printer offers no choice' });
  return [];
}

function keyword(
  name: string,
  value: string | undefined,
  supported: readonly string[],
  option: OptionName,
  unsupported: IgnoredOption[],
): IppAttribute[] {
  if (value === undefined) return [];
  if (supported.includes(value)) return [attribute(name, Tag.keyword, value)];
  unsupported.push({ option, reason: lacks(value, supported) });
  return [];
}

function lacks(value: string, supported: readonly string[]): string {
  return `the printer does not know ${value}, but ${supported.slice(0, 8).join(', ') || 'nothing'}`;
}

/** The options behind the attributes that a printer listed as unsupported. */
export function refusedOptions(
  unsupported: IppAttributes | undefined,
  options: PrintOptions | undefined,
): IgnoredOption[] {
  const names = [...(unsupported ?? new Map<string, never>()).keys()].map((name) => OPTIONS[name]);
  const wished = names.filter(
    (option) => option !== undefined && options?.[option] !== undefined,
  ) as OptionName[];
  return [...new Set(wished)].map((option) => ({ option, reason: 'the printer refused it' }));
}

/** What the attributes of a job say, and for those that it lacks, the defaults of the printer. */
export function appliedBy(job: IppAttributes, facts: PrinterFacts): Applied {
  const { attributes } = facts;
  const [media] = collections(job, 'media-col');
  const [size] = media ? collections(media, 'media-size') : [];
  const [name] = texts(job, 'media');
  const sheet =
    (size && sheetOf(size)) ??
    facts.sheets.find((candidate) => candidate.name === name) ??
    facts.defaultSheet;
  const [sides] = [...texts(job, 'sides'), ...texts(attributes, 'sides-default')];
  const [mode] = [...texts(job, 'print-color-mode'), ...texts(attributes, 'print-color-mode-default')];
  const [dpi] = [
    ...resolutionsOf(job, 'printer-resolution'),
    ...resolutionsOf(attributes, 'printer-resolution-default'),
  ];
  const duplex = (Object.keys(SIDES) as Duplex[]).find((key) => SIDES[key] === sides);
  return {
    paper: sheet && nameOf(sheet, facts),
    tray: media && texts(media, 'media-source')[0],
    duplex,
    color: mode === 'color' ? true : GRAY_MODES.includes(mode ?? '') ? false : undefined,
    resolution_dpi: dpi,
    sheet_mm: sheet && [sheet.width / 100, sheet.height / 100],
  };
}
