import type { Capabilities, Margins, OptionName } from '../../service/protocol.js';
import type { Sheet } from '../pdf/page-layout.js';
import { namedPapers, shownSize, type DriverPaper, type Size } from './papers.js';

/** What a driver can do (DeviceCapabilities). */
export interface DriverFacts {
  readonly papers: readonly DriverPaper[];
  /** Smallest and largest sheet of free size; absent without such sheets. */
  readonly freeSize?: { readonly min: Size; readonly max: Size };
  readonly trays: readonly { readonly id: number; readonly name: string }[];
  readonly duplex: boolean;
  /** Null if the driver does not tell. */
  readonly color: boolean | null;
  /** Copies that the driver makes of a document; 1 if it makes none. */
  readonly copies: number;
  readonly collate: boolean;
  readonly resolutions: readonly (readonly [x: number, y: number])[];
  readonly margins?: Margins;
}

const MM_PER_INCH = 25.4;
/** Limits of an inventory (docs/agent-protocol.md). */
const MAX_TRAYS = 100;
const MAX_RESOLUTIONS = 50;
/** Applied by the Agent, whatever the driver can do. */
const DRAWN_OPTIONS: OptionName[] = ['color', 'scale', 'orientation', 'rotate', 'pages', 'collate'];

/** For the inventory. */
export function capabilitiesOf(facts: DriverFacts): Omit<Capabilities, 'content_types'> {
  const { freeSize, trays, duplex, color, resolutions, margins } = facts;
  const range = freeSize
    ? [`custom_min_${shownSize(freeSize.min)}`, `custom_max_${shownSize(freeSize.max)}`]
    : [];
  const papers = [...range, ...namedPapers(facts.papers).map(({ pwgName }) => pwgName)];
  const dpi = [...new Set(resolutions.map(([x]) => x))].sort((a, b) => a - b).slice(0, MAX_RESOLUTIONS);
  const trayNames = [...new Set(trays.map(({ name }) => name))].slice(0, MAX_TRAYS);
  const options: OptionName[] = [...DRAWN_OPTIONS];
  if (papers.length > 0) options.push('paper');
  if (trays.length > 0) options.push('tray');
  if (duplex) options.push('duplex');
  if (dpi.length > 0) options.push('resolution_dpi');
  return {
    ...{ color, duplex, papers, trays: trayNames, resolutions_dpi: dpi },
    ...(margins && { margins_mm: margins }),
    options,
  };
}

/** Of the device context with the queue's settings. */
export function marginsOf({ width, height, dpiX, dpiY, printable }: Sheet): Margins {
  const { left, top } = printable;
  const [right, bottom] = [width - left - printable.width, height - top - printable.height];
  const mm = (dots: number, dpi: number): number => Math.max(0, inMillimetres(dots, dpi));
  return { top: mm(top, dpiY), right: mm(right, dpiX), bottom: mm(bottom, dpiY), left: mm(left, dpiX) };
}

/** In millimetres. */
export function sizeOf({ width, height, dpiX, dpiY }: Sheet): Size {
  return [inMillimetres(width, dpiX), inMillimetres(height, dpiY)];
}

/** To a tenth. */
function inMillimetres(dots: number, dpi: number): number {
  return Math.round((dots / dpi) * MM_PER_INCH * 10) / 10;
}
