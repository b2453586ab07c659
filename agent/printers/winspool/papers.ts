import { displayable } from '../../service/displayable.js';

/** Width and height in millimetres. */
export type Size = readonly [width: number, height: number];

/** Self-describing names of PWG 5101.1, which end with the size. */
const STANDARD = [
  ...['iso_a2_420x594mm', 'iso_a3_297x420mm', 'iso_a4_210x297mm', 'iso_a5_148x210mm', 'iso_a6_105x148mm'],
  ...['iso_a7_74x105mm', 'iso_a8_52x74mm', 'iso_b4_250x353mm', 'iso_b5_176x250mm', 'iso_b6_125x176mm'],
  ...['iso_c4_229x324mm', 'iso_c5_162x229mm', 'iso_c6_114x162mm', 'iso_dl_110x220mm', 'jis_b4_257x364mm'],
  ...['jis_b5_182x257mm', 'jpn_hagaki_100x148mm', 'na_letter_8.5x11in', 'na_legal_8.5x14in'],
  ...['na_ledger_11x17in', 'na_executive_7.25x10.5in', 'na_invoice_5.5x8.5in', 'na_foolscap_8.5x13in'],
  ...['na_index-3x5_3x5in', 'na_index-4x6_4x6in', 'na_5x7_5x7in', 'na_index-5x8_5x8in'],
  ...['na_govt-letter_8x10in', 'na_number-10_4.125x9.5in', 'na_monarch_3.875x7.5in'],
];
const SIZED = /_(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)(mm|in)$/;
const MM_PER_INCH = 25.4;
/** Drivers round sizes. */
const NAMED_WITHIN = 0.6;
/** Sheets that differ by 5 points are equal (docs/decisions/088-pages-at-their-own-size.md). */
const SAME_WITHIN = (5 / 72) * MM_PER_INCH;
const MAX_SLUG = 60;

/** A paper as the driver names it (DC_PAPERS, DC_PAPERNAMES, DC_PAPERSIZE). */
export interface DriverPaper {
  readonly id: number;
  readonly name: string;
  readonly size: Size;
}

/** A paper of the driver with its PWG name, unique among those of the printer. */
export interface NamedPaper extends DriverPaper {
  readonly pwgName: string;
}

/** The size at the end of a PWG name. */
export function sizeIn(name: string): Size | undefined {
  const [, width, height, unit] = SIZED.exec(name) ?? [];
  const mm = (length?: string): number =>
    Math.round(Number(length) * (unit === 'in' ? MM_PER_INCH : 1) * 100) / 100;
  return unit === undefined ? undefined : [mm(width), mm(height)];
}

/** PWG name of a size: that of a standard, or `custom_<name>_<size>`. */
export function pwgNameOf(size: Size, name: string): string {
  const upright = size[0] <= size[1] ? size : turned(size);
  const isNamed = (standard: string): boolean => differenceOf(sizeIn(standard)!, upright) <= NAMED_WITHIN;
  return STANDARD.find(isNamed) ?? customName(size, name);
}

/** Of two papers of the same standard the first has its name. */
export function namedPapers(papers: readonly DriverPaper[]): NamedPaper[] {
  const names = new Set<string>();
  return papers.flatMap((paper) => {
    const standard = pwgNameOf(paper.size, paper.name);
    const pwgName = names.has(standard) ? customName(paper.size, paper.name) : standard;
    if (names.has(pwgName) || Math.min(...paper.size) <= 0) return [];
    names.add(pwgName);
    return [{ ...paper, pwgName }];
  });
}

/** The paper of this size, whichever way it lies; the same way is preferred. */
export function paperOfSize(papers: readonly NamedPaper[], size: Size): NamedPaper | undefined {
  const across = turned(size);
  const ranked = papers
    .flatMap((paper) => [
      { paper, difference: differenceOf(paper.size, size) },
      { paper, difference: differenceOf(paper.size, across) + Number.EPSILON },
    ])
    .filter(({ difference }) => difference <= SAME_WITHIN);
  return ranked.sort((a, b) => a.difference - b.difference)[0]?.paper;
}

/** Whichever way each lies. */
export function isSameSize(one: Size, other: Size): boolean {
  return Math.min(differenceOf(one, other), differenceOf(one, turned(other))) <= SAME_WITHIN;
}

export function turned([width, height]: Size): Size {
  return [height, width];
}

/** `100x150mm` */
export function shownSize(size: Size): string {
  return `${size.map((length) => Math.round(length * 100) / 100).join('x')}mm`;
}

function customName(size: Size, name: string): string {
  const slug = displayable(name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), MAX_SLUG).replaceAll(
    /^-|-$/g,
    '',
  );
  return `custom_${slug || 'paper'}_${shownSize(size)}`;
}

function differenceOf(one: Size, other: Size): number {
  return Math.max(Math.abs(one[0] - other[0]), Math.abs(one[1] - other[1]));
}
