import type { Printer } from '../devices/index.js';
import { type Paper, resolvePaper } from './domain/papers.js';
import { OPTION_NAMES, type OptionName, type PrintOptions } from './domain/print-options.js';

type Capabilities = NonNullable<Printer['capabilities']>;
type Value = string | number | boolean;

/** An option that a printer cannot apply as asked; nothing allowed = not at all. */
export interface UnsupportedOption {
  readonly option: OptionName;
  readonly allowed: readonly Value[];
}

/** The options that the capabilities exclude; unknown capabilities exclude none: then the agent decides. */
export function unsupportedOptions(
  options: PrintOptions,
  capabilities: Capabilities | null,
): readonly UnsupportedOption[] {
  if (!capabilities) return [];
  const given = OPTION_NAMES.filter((option) => options[option] !== undefined);
  return given.flatMap((option) => {
    const allowed = capabilities.options?.includes(option) ? excluded(option, options, capabilities) : [];
    return allowed ? [{ option, allowed }] : [];
  });
}

/** The allowed values, unless the given one is among them or they are not known. */
function excluded(
  option: OptionName,
  { paper, tray, duplex, color, resolution_dpi: dpi }: PrintOptions,
  { papers, trays, resolutionsDpi, ...can }: Capabilities,
): readonly Value[] | undefined {
  switch (option) {
    case 'paper':
      return papers.length === 0 || hasPaper(papers, resolvePaper(paper!)) ? undefined : papers;
    case 'tray':
      return trays?.includes(tray!) === false ? trays : undefined;
    case 'duplex':
      return can.duplex === false && duplex !== 'one-sided' ? ['one-sided'] : undefined;
    case 'color':
      return can.color === false && color === true ? [false] : undefined;
    case 'resolution_dpi':
      return resolutionsDpi?.includes(dpi!) === false ? resolutionsDpi : undefined;
    default:
      return undefined;
  }
}

/** Drivers round sizes, and ISO 216 itself allows 1 to 3 mm. */
const TOLERANCE_MM = 0.5;
const RANGES = ['custom', 'roll'] as const;
const isBound = (name: string) => /^(custom|roll)_(min|max)_/.test(name);

function hasPaper(papers: readonly string[], wanted: Paper): boolean {
  const sheets = papers.filter((name) => !isBound(name));
  if (wanted.name !== undefined && sheets.includes(wanted.name)) return true;
  if (sheets.some((name) => fits(wanted, resolvePaper(name), resolvePaper(name)))) return true;
  return RANGES.some((kind) => {
    const [min, max] = ['min', 'max'].map((end) => papers.find((name) => name.startsWith(`${kind}_${end}_`)));
    return min !== undefined && max !== undefined && fits(wanted, resolvePaper(min), resolvePaper(max));
  });
}

/** False without a size. */
function fits(wanted: Paper, min: Paper, max: Paper): boolean {
  return (['width_mm', 'height_mm'] as const).every((side) => {
    const length = wanted[side] ?? NaN;
    return length >= (min[side] ?? NaN) - TOLERANCE_MM && length <= (max[side] ?? NaN) + TOLERANCE_MM;
  });
}
