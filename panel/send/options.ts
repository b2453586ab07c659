import type { CreatePrintJobBody, PrinterCapabilities } from '../../sdk/src/generated/integration.js';

export type Options = NonNullable<CreatePrintJobBody['options']>;
type Name = Exclude<keyof Options, 'unsupported'>;
type Value = string | number | boolean;

/** An option that a person chooses from a list. */
export interface Choice {
  readonly name: Name;
  readonly label: string;
  /** Values with their words; the setting of the printer is no value. */
  readonly values: readonly (readonly [Value, string])[];
}

const SIDES = [
  ['one-sided', 'one side'],
  ['long-edge', 'both sides, turned at the long edge'],
  ['short-edge', 'both sides, turned at the short edge'],
] as const;
const INKS = [
  [true, 'colors'],
  [false, 'gray'],
] as const;
const FIXED: readonly Choice[] = [
  {
    name: 'scale',
    label: 'Size',
    values: [
      ['actual', '100 %, cut off if larger'],
      ['shrink', '100 %, smaller if it does not fit'],
      ['fit', 'as large as the paper'],
    ],
  },
  {
    name: 'orientation',
    label: 'Orientation',
    values: [
      ['portrait', 'portrait'],
      ['landscape', 'landscape'],
    ],
  },
  { name: 'rotate', label: 'Turn clockwise', values: [90, 180, 270].map((by) => [by, `${by}°`] as const) },
];

/** Choices of what a printer can do; without known capabilities none, because the service would refuse them. */
export function choicesOf(capabilities: PrinterCapabilities | undefined): readonly Choice[] {
  if (!capabilities?.options) return [];
  const { papers, trays = [], resolutions_dpi = [], duplex, color, options } = capabilities;
  const sheets = papers.filter((name) => !/^(custom|roll)_(min|max)_/.test(name));
  const all: readonly Choice[] = [
    { name: 'paper', label: 'Paper', values: sheets.map((name) => [name, paperName(name)]) },
    { name: 'tray', label: 'Tray', values: trays.map((name) => [name, name]) },
    { name: 'duplex', label: 'Sides', values: duplex === false ? SIDES.slice(0, 1) : SIDES },
    { name: 'color', label: 'Color', values: color === false ? INKS.slice(1) : INKS },
    {
      name: 'resolution_dpi',
      label: 'Resolution',
      values: resolutions_dpi.map((dpi) => [dpi, `${dpi} dpi`]),
    },
    ...FIXED,
  ];
  return all.filter(({ name, values }) => options.includes(name) && values.length > 0);
}

/** The options with one changed; undefined leaves it to the printer. Undefined without any. */
export function withOption(options: Options | undefined, name: keyof Options, value: Value | undefined) {
  const { [name]: _, ...others } = options ?? {};
  const changed = (value === undefined ? others : { ...others, [name]: value }) as Options;
  return Object.keys(changed).length > 0 ? changed : undefined;
}

/** `iso_a4_210x297mm` as people write it: `A4, 210 × 297 mm`. Other names stay. */
export function paperName(name: string): string {
  const parts = /^[a-z]+_(.+)_([\d.]+)x([\d.]+)(mm|in)$/.exec(name);
  if (!parts) return name;
  const [, title, width, height, unit] = parts;
  const words = title!.replaceAll(/[-_]/g, ' ');
  return `${words[0]!.toUpperCase()}${words.slice(1)}, ${width} × ${height} ${unit}`;
}
