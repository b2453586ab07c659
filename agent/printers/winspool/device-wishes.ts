import type { IgnoredOption, OptionName, Paper, PrintOptions } from '../../service/protocol.js';
import { COLOR, DUPLEX, MONOCHROME, valueIn, type DeviceMode, type ModeChanges } from './device-mode.js';
import { sizeOf, type DriverFacts } from './driver-facts.js';
import type { Sheet } from '../pdf/page-layout.js';
import { isSameSize, namedPapers, paperOfSize, shownSize, sizeIn, turned, type Size } from './papers.js';
import { SpoolerError, type Canvas } from './spooler-api.js';

/** Settings that may meet a wish, and how the driver confirms them. */
interface Wish {
  readonly changes: ModeChanges;
  isMet(mode: DeviceMode | undefined, sheet: Sheet): boolean;
}

/** Settings for the sheets of a document, and the wishes that the driver does not confirm. */
export interface Granted {
  readonly changes: ModeChanges;
  readonly unmet: IgnoredOption[];
}

const NOT_CONFIRMED = 'the driver does not confirm it';
/** DMPAPER_USER: the size is that of the fields for length and width. */
const FREE_SIZE = 256;
const MAX_FORM_NAME = 31;
const MAX_SHORT = 0x7fff;

/** Applies the options that belong to the driver to an empty canvas. */
export async function grantWishes(
  canvas: Canvas,
  options: PrintOptions,
  facts?: DriverFacts,
): Promise<Granted> {
  const wishes = new Map<OptionName, Wish>();
  const unmet: IgnoredOption[] = [];
  const add = (option: OptionName, wish: Wish | string): void => {
    if (typeof wish === 'string') unmet.push({ option, reason: wish });
    else wishes.set(option, wish);
  };
  const { tray, duplex, color, resolution_dpi: dpi, paper } = options;
  if (tray !== undefined) add('tray', trayWish(tray, facts));
  if (duplex !== undefined) add('duplex', duplexWish(duplex));
  if (color !== undefined) add('color', colorWish(color));
  if (dpi !== undefined) add('resolution_dpi', resolutionWish(dpi, facts));
  const changes = Object.assign({}, ...[...wishes.values()].map((wish) => wish.changes)) as ModeChanges;
  const papers = paper && paperWishes(paper, facts);
  const granted = papers ? await firstMet(canvas, changes, papers) : undefined;
  if (papers && !granted) unmet.push({ option: 'paper', reason: missingPaper(paper, papers.length > 0) });
  const all = granted ?? changes;
  await tryReset(canvas, all);
  for (const [option, wish] of wishes)
    if (!wish.isMet(canvas.mode, canvas.sheet)) unmet.push({ option, reason: NOT_CONFIRMED });
  return { changes: all, unmet };
}

/** Adds a sheet of the size of a page, in millimetres, to settings; undefined if the printer has none. */
export async function grantSheet(
  canvas: Canvas,
  changes: ModeChanges,
  [width_mm, height_mm]: Size,
  facts?: DriverFacts,
): Promise<ModeChanges | undefined> {
  if (!(await tryReset(canvas, changes))) return undefined;
  if (isSameSize(sizeOf(canvas.sheet), [width_mm, height_mm])) return changes;
  return firstMet(canvas, changes, paperWishes({ width_mm, height_mm }, facts));
}

/** Resets a canvas, unless it has these settings. */
export async function resetTo(canvas: Canvas, changes: ModeChanges): Promise<void> {
  if (JSON.stringify(changes) !== JSON.stringify(canvas.changes)) await canvas.reset(changes);
}

/** False if the driver refuses. */
export async function tryReset(canvas: Canvas, changes: ModeChanges): Promise<boolean> {
  try {
    await resetTo(canvas, changes);
    return true;
  } catch (error) {
    if (error instanceof SpoolerError) return false;
    throw error;
  }
}

async function firstMet(canvas: Canvas, base: ModeChanges, wishes: Wish[]): Promise<ModeChanges | undefined> {
  for (const { changes, isMet } of wishes) {
    const all = { ...base, ...changes };
    if ((await tryReset(canvas, all)) && isMet(canvas.mode, canvas.sheet)) return all;
  }
  return undefined;
}

/** In order of preference. */
function paperWishes({ name, width_mm, height_mm }: Paper, facts?: DriverFacts): Wish[] {
  const papers = namedPapers(facts?.papers ?? []);
  const named = papers.find((paper) => paper.pwgName === name || paper.name === name);
  const size = named?.size ?? (width_mm && height_mm ? ([width_mm, height_mm] as const) : sizeIn(name ?? ''));
  if (!size) return [];
  const paper = named ?? paperOfSize(papers, size);
  if (paper) {
    const formName = paper.name.length <= MAX_FORM_NAME ? paper.name : null;
    return [wishForPaper(size, { paperSize: paper.id, formName, ...lengths(paper.size) })];
  }
  const { freeSize } = facts ?? {};
  const isAllowed = ([width, height]: Size): boolean =>
    freeSize !== undefined &&
    width >= freeSize.min[0] &&
    width <= freeSize.max[0] &&
    height >= freeSize.min[1] &&
    height <= freeSize.max[1];
  const paperSize = papers.some(({ id }) => id === FREE_SIZE) ? FREE_SIZE : null;
  const tenths: Size = [Math.round(size[0] * 10) / 10, Math.round(size[1] * 10) / 10];
  return [tenths, turned(tenths)]
    .filter(isAllowed)
    .map((sheet) => wishForPaper(size, { paperSize, formName: null, ...lengths(sheet) }));
}

function wishForPaper(size: Size, changes: ModeChanges): Wish {
  const isSamePaper = (mode?: DeviceMode): boolean =>
    changes.paperSize === null || (valueIn(mode, 'paperSize') ?? changes.paperSize) === changes.paperSize;
  return { changes, isMet: (mode, sheet) => isSameSize(sizeOf(sheet), size) && isSamePaper(mode) };
}

/** Rolls may be longer than the fields can tell. */
function lengths(size: Size): ModeChanges {
  const [width, length] = size.map((side) => Math.round(side * 10));
  if (Math.max(...size) * 10 > MAX_SHORT) return { paperWidth: null, paperLength: null };
  return { paperWidth: width, paperLength: length };
}

function trayWish(name: string, facts?: DriverFacts): Wish | string {
  const tray = facts?.trays.find((tray) => tray.name === name);
  if (!tray) return `the printer has no tray ${name}`;
  return {
    changes: { defaultSource: tray.id },
    isMet: (mode) => valueIn(mode, 'defaultSource') === tray.id,
  };
}

function duplexWish(sides: (typeof DUPLEX)[number]): Wish {
  const value = DUPLEX.indexOf(sides) + 1;
  // A driver without the field prints one side.
  return { changes: { duplex: value }, isMet: (mode) => (valueIn(mode, 'duplex') ?? 1) === value };
}

/** Without colours the Agent draws grey, so the driver need not confirm it. */
function colorWish(color: boolean): Wish {
  const isMet = (mode: DeviceMode | undefined, sheet: Sheet): boolean =>
    !color || (sheet.color && valueIn(mode, 'color') !== MONOCHROME);
  return { changes: { color: color ? COLOR : MONOCHROME }, isMet };
}

function resolutionWish(dpi: number, facts?: DriverFacts): Wish | string {
  const pairs = facts?.resolutions.filter(([x]) => x === dpi) ?? [];
  const [x, y] = pairs.find(([, y]) => y === dpi) ?? pairs[0] ?? [];
  if (x === undefined || y === undefined) return `the printer has no resolution of ${dpi} dpi`;
  return {
    changes: { printQuality: x, yResolution: y },
    isMet: (_, sheet) => sheet.dpiX === x && sheet.dpiY === y,
  };
}

function missingPaper({ name, width_mm, height_mm }: Paper, isOffered: boolean): string {
  const shown = name ?? shownSize([width_mm ?? 0, height_mm ?? 0]);
  return isOffered ? NOT_CONFIRMED : `the printer has no paper ${shown}`;
}
