import type { Capabilities, Margins, OptionName, Paper } from '../../service/protocol.js';
import type { IppAttributes, IppResolution } from './ipp-message.js';

/** A sheet in hundredths of a millimetre. */
export interface IppSheet {
  readonly name?: string;
  readonly width: number;
  readonly height: number;
}

/** What a printer says of its sheets and of how it prints on them. */
export interface PrinterFacts {
  readonly sheets: readonly IppSheet[];
  /** Any size between these two is a sheet, too. */
  readonly range?: { readonly min: IppSheet; readonly max: IppSheet };
  readonly defaultSheet?: IppSheet;
  readonly margins?: Margins;
  /** Names as in `media-source`. */
  readonly trays: readonly string[];
  readonly sides: readonly string[];
  readonly colorModes: readonly string[];
  /** Equal in both directions. */
  readonly resolutions: readonly number[];
  readonly attributes: IppAttributes;
}

export const FACTS = [
  ...['color-supported', 'copies-supported', 'document-format-supported', 'sides-supported', 'sides-default'],
  ...[
    'media-supported',
    'media-default',
    'media-size-supported',
    'media-source-supported',
    'media-col-default',
  ],
  ...['media-top-margin-supported', 'media-right-margin-supported'],
  ...['media-bottom-margin-supported', 'media-left-margin-supported'],
  ...['print-color-mode-supported', 'print-color-mode-default', 'print-scaling-supported'],
  ...['printer-resolution-supported', 'printer-resolution-default', 'multiple-document-handling-supported'],
];

/** In hundredths of a millimetre: names and sizes of one sheet are rounded differently. */
const SAME_SHEET = 100;
const UNITS = { mm: 100, in: 2540 } as const;

export function printerFacts(attributes: IppAttributes): PrinterFacts {
  const measured = collections(attributes, 'media-size-supported');
  const exact = measured.map(sheetOf).filter((sheet) => sheet !== undefined);
  const sheets = texts(attributes, 'media-supported')
    .filter((name) => !isBound(name))
    .map((name) => namedSheet(name, exact))
    .filter((sheet) => sheet !== undefined);
  const { defaultSheet, margins } = defaultsOf(attributes, exact);
  return {
    sheets,
    range: measured.map(rangeOf).find((range) => range !== undefined),
    defaultSheet,
    margins,
    trays: texts(attributes, 'media-source-supported'),
    sides: texts(attributes, 'sides-supported'),
    colorModes: texts(attributes, 'print-color-mode-supported'),
    resolutions: resolutionsOf(attributes, 'printer-resolution-supported'),
    attributes,
  };
}

/** Ends of a range of sizes. */
function isBound(name: string): boolean {
  return /^(custom|roll)_(min|max)_/.test(name);
}

/** What the inventory says of the printer. */
export function capabilitiesOf(
  facts: PrinterFacts,
  content_types: Capabilities['content_types'],
): Capabilities {
  const { attributes, trays, sides, margins } = facts;
  const color = attributes.get('color-supported')?.[0];
  return {
    content_types,
    color: typeof color === 'boolean' ? color : null,
    duplex: sides.length > 0 ? sides.some((side) => side.startsWith('two-sided')) : null,
    // An inventory takes the first hundred.
    papers: texts(attributes, 'media-supported').sort((a, b) => Number(isBound(b)) - Number(isBound(a))),
    trays: [...trays],
    resolutions_dpi: [...facts.resolutions].sort((a, b) => a - b),
    margins_mm: margins,
    options: content_types.includes('pdf') ? optionsOf(facts) : [],
  };
}

function optionsOf(facts: PrinterFacts): OptionName[] {
  const hasSheets = facts.sheets.length > 0 || facts.range !== undefined;
  const applies: Record<OptionName, boolean> = {
    paper: hasSheets,
    tray: facts.trays.length > 0,
    duplex: facts.sides.length > 0,
    color: facts.colorModes.length > 0,
    scale: hasSheets,
    orientation: hasSheets,
    rotate: hasSheets,
    pages: true,
    collate: collates(facts) && hasSheets,
    resolution_dpi: facts.resolutions.length > 0,
  };
  return (Object.keys(applies) as OptionName[]).filter((option) => applies[option]);
}

export const STATE = ['printer-state', 'printer-state-reasons', 'printer-is-accepting-jobs'];
/** printer-state, RFC 8011 5.4.11. */
const STOPPED = 5;
const LOST_CONTACT = ['offline-report', 'offline-error', 'offline', 'shutdown'];

export function isOnline(attributes: IppAttributes): boolean {
  const reasons = texts(attributes, 'printer-state-reasons');
  return (
    attributes.get('printer-state')?.[0] !== STOPPED &&
    attributes.get('printer-is-accepting-jobs')?.[0] !== false &&
    !reasons.some((reason) => LOST_CONTACT.includes(reason))
  );
}

export function collates({ attributes }: PrinterFacts): boolean {
  return texts(attributes, 'multiple-document-handling-supported').length > 0;
}

/** The sheet of the printer that a job asks for, by its name or by its size in either direction. */
export function sheetFor({ name, width_mm, height_mm }: Paper, facts: PrinterFacts): IppSheet | undefined {
  const named = facts.sheets.find((sheet) => name !== undefined && sheet.name === name);
  if (named || width_mm === undefined || height_mm === undefined) return named;
  const [width, height] = [Math.round(width_mm * 100), Math.round(height_mm * 100)];
  const upright = { width, height };
  const turned = { width: height, height: width };
  return (
    nearest(upright, facts.sheets) ??
    nearest(turned, facts.sheets) ??
    [upright, turned].find((size) => isWithin(size, facts.range))
  );
}

/** The printer's name of a sheet. */
export function nameOf(size: IppSheet, { sheets }: PrinterFacts): string {
  const { width, height } = size;
  return (
    nearest(size, sheets)?.name ?? `custom_${width / 100}x${height / 100}mm_${width / 100}x${height / 100}mm`
  );
}

/** Reads the size at the end of a PWG 5101.1 name; `exact` is the printer's own rounding. */
function namedSheet(name: string, exact: readonly IppSheet[]): IppSheet | undefined {
  const [, width, height, unit] = /_(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)(mm|in)$/.exec(name) ?? [];
  if (!unit) return undefined;
  const hundredths = UNITS[unit as keyof typeof UNITS];
  const size = {
    width: Math.round(Number(width) * hundredths),
    height: Math.round(Number(height) * hundredths),
  };
  return { ...(nearest(size, exact) ?? size), name };
}

function nearest({ width, height }: IppSheet, sheets: readonly IppSheet[]): IppSheet | undefined {
  const distance = (sheet: IppSheet): number =>
    Math.max(Math.abs(sheet.width - width), Math.abs(sheet.height - height));
  const [best] = [...sheets].sort((a, b) => distance(a) - distance(b));
  return best && distance(best) <= SAME_SHEET ? best : undefined;
}

function isWithin({ width, height }: IppSheet, range: PrinterFacts['range']): boolean {
  if (!range) return false;
  const { min, max } = range;
  return width >= min.width && width <= max.width && height >= min.height && height <= max.height;
}

export function sheetOf(size: IppAttributes): IppSheet | undefined {
  const [width, height] = [size.get('x-dimension')?.[0], size.get('y-dimension')?.[0]];
  return typeof width === 'number' && typeof height === 'number' ? { width, height } : undefined;
}

function rangeOf(size: IppAttributes): PrinterFacts['range'] {
  const [width, height] = [limits(size, 'x-dimension'), limits(size, 'y-dimension')];
  if (!width || !height || (width.lower === width.upper && height.lower === height.upper)) return undefined;
  return {
    min: { width: width.lower, height: height.lower },
    max: { width: width.upper, height: height.upper },
  };
}

function limits(size: IppAttributes, name: string): { lower: number; upper: number } | undefined {
  const [value] = size.get(name) ?? [];
  if (typeof value === 'number') return { lower: value, upper: value };
  return typeof value === 'object' && value !== null && 'lower' in value ? value : undefined;
}

function defaultsOf(
  attributes: IppAttributes,
  exact: readonly IppSheet[],
): Pick<PrinterFacts, 'defaultSheet' | 'margins'> {
  const [media] = collections(attributes, 'media-col-default');
  const size = media && collections(media, 'media-size')[0];
  const measured = size && sheetOf(size);
  const [name] = texts(attributes, 'media-default');
  const named = name === undefined ? undefined : namedSheet(name, exact);
  const margin = (side: string): number | undefined => {
    const own = media?.get(`media-${side}-margin`)?.[0];
    if (typeof own === 'number') return own / 100;
    const all = numbers(attributes, `media-${side}-margin-supported`);
    return all.length > 0 ? Math.max(...all) / 100 : undefined;
  };
  const [top, right, bottom, left] = ['top', 'right', 'bottom', 'left'].map(margin);
  const known = top !== undefined && right !== undefined && bottom !== undefined && left !== undefined;
  return {
    defaultSheet: measured ? { ...measured, name } : named,
    margins: known ? { top, right, bottom, left } : undefined,
  };
}

export function resolutionsOf(attributes: IppAttributes, name: string): number[] {
  return (attributes.get(name) ?? [])
    .filter((value): value is IppResolution => typeof value === 'object' && value !== null && 'x' in value)
    .filter(({ x, y }) => x === y)
    .map(({ x }) => x);
}

export function texts(attributes: IppAttributes, name: string): string[] {
  return (attributes.get(name) ?? []).filter((value) => typeof value === 'string');
}

export function collections(attributes: IppAttributes, name: string): IppAttributes[] {
  return (attributes.get(name) ?? []).filter((value) => value instanceof Map);
}

function numbers(attributes: IppAttributes, name: string): number[] {
  return (attributes.get(name) ?? []).filter((value) => typeof value === 'number');
}
