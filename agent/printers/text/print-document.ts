import type {
  IgnoredOption,
  Margins,
  OptionName,
  PrintOptions,
  Receipt,
  TextSettings,
} from '../../service/protocol.js';
import { settleUnsupported } from '../options.js';
import { NotSubmitted, type Moving, type PrinterProvider, type PrintRequest } from '../provider.js';
import type { Route } from '../printers.js';
import type { SystemFonts } from '../fonts/system-fonts.js';
import { encodeText, type Replacement } from './code-pages.js';
import { escPosDocument } from './esc-pos.js';
import { letterName, others } from './letters.js';
import { textPdf, type TextPage } from './text-pages.js';

const LINE_ENDS = { lf: '\n', crlf: '\r\n', cr: '\r' } as const;
const MAX_NAMED = 20;
const POINTS_PER_MM = 72 / 25.4;
const A4 = { width: 210, height: 297 };
const MARGIN_MM = 6.35;
const MARGINS: Margins = { top: MARGIN_MM, right: MARGIN_MM, bottom: MARGIN_MM, left: MARGIN_MM };

/** A document as its provider gets it, and what its receipt says beyond that of the provider. */
export interface PrintDocument {
  readonly request: PrintRequest;
  readonly ignored: readonly IgnoredOption[];
}

/**
 * Applies a printer's settings for text: encodes it (raw), or draws it (pdf) unless the provider does.
 * @throws NotSubmitted, permanent: `GLYPH_MISSING` for a letter that no font has, or that the code page lacks while
 *   the options say `refuse`; `OPTION_NOT_SUPPORTED` for options of text that is sent raw; `CONTENT_TYPE_NOT_SUPPORTED`
 */
export async function printDocument(
  request: PrintRequest,
  { provider, capabilities }: Route,
  fonts: SystemFonts,
  moving: Moving,
): Promise<PrintDocument> {
  const { contentType, text } = request;
  const going = () => {
    moving.signal.throwIfAborted();
    moving.moved();
  };
  if (contentType !== 'text' || !text) return { request, ignored: [] };
  const mode = modeOf(text);
  if (mode === 'pages' && provider.drawsText) return { request, ignored: [] };
  const type = mode === 'raw' ? 'raw' : mode === 'pages' ? 'pdf' : 'text';
  if (capabilities && !capabilities.content_types.includes(type))
    throw new NotSubmitted('CONTENT_TYPE_NOT_SUPPORTED', `cannot print text as ${type}`, 'permanent');
  if (type === 'raw') return rawDocument(request, text, going);
  const changed =
    type === 'pdf'
      ? await drawn(request, provider, capabilities?.margins_mm, fonts, going)
      : { ...request, bytes: Buffer.from(withLineEnds(decoded(request), text)) };
  return { request: changed, ignored: [] };
}

/** Adds the letters that are printed in another form. */
export function withIgnored(
  receipt: Receipt | undefined,
  ignored: readonly IgnoredOption[],
): Receipt | undefined {
  if (ignored.length === 0) return receipt;
  return { applied: receipt?.applied ?? {}, ignored: [...(receipt?.ignored ?? []), ...ignored] };
}

/** Filters of a queue would take encoded bytes for UTF-8. */
function modeOf({ mode, encoding, cut_after }: TextSettings): TextSettings['mode'] {
  const isEncoded = encoding !== undefined && encoding !== 'utf-8';
  return mode ?? (isEncoded || cut_after !== undefined ? 'raw' : undefined);
}

async function rawDocument(
  request: PrintRequest,
  settings: TextSettings,
  going: () => void,
): Promise<PrintDocument> {
  const { encoding, cut_after: cut } = settings;
  const { options, text: _, ...document } = request;
  const text = withLineEnds(decoded(request), settings);
  const { bytes, replaced } = await encodeText(text, encoding ?? 'utf-8', going);
  const [first] = replaced;
  if (first && options?.unsupported === 'refuse') throw glyphMissing(first, replaced.length, encoding ?? '');
  const names = Object.keys(options ?? {}).filter((name) => name !== 'unsupported') as OptionName[];
  const unsupported = names.map((option) => ({ option, reason: 'this printer gets text as raw bytes' }));
  return {
    request: {
      ...document,
      contentType: 'raw',
      bytes: cut === undefined ? bytes : escPosDocument(bytes, encoding, cut),
    },
    ignored: [...settleUnsupported(options, unsupported), ...named(replaced)],
  };
}

async function drawn(
  { text: _, ...request }: PrintRequest,
  provider: PrinterProvider,
  margins: Margins = MARGINS,
  fonts: SystemFonts,
  going: () => void,
): Promise<PrintRequest> {
  const { orientation, ...options }: Partial<PrintOptions> = request.options ?? {};
  const paper = options.paper ?? (await provider.defaultPaper?.(request.printer));
  const sheet = [paper?.width_mm ?? A4.width, paper?.height_mm ?? A4.height];
  if (orientation) sheet.sort((a, b) => (orientation === 'landscape' ? b - a : a - b));
  const [width = 0, height = 0] = sheet.map((mm) => mm * POINTS_PER_MM);
  const page: TextPage = { width, height, margins: inPoints(margins) };
  return {
    ...request,
    ...(request.options && { options: { ...options, unsupported: request.options.unsupported } }),
    contentType: 'pdf',
    bytes: await textPdf(request.bytes, page, fonts, going),
  };
}

function inPoints({ top, right, bottom, left }: Margins): Margins {
  return {
    ...{ top: top * POINTS_PER_MM, right: right * POINTS_PER_MM },
    ...{ bottom: bottom * POINTS_PER_MM, left: left * POINTS_PER_MM },
  };
}

function decoded({ bytes }: PrintRequest): string {
  return new TextDecoder().decode(bytes);
}

function withLineEnds(text: string, { line_ending: ending }: TextSettings): string {
  return ending === undefined ? text : text.replaceAll(/\r\n?|\n/g, LINE_ENDS[ending]);
}

function named(replaced: readonly Replacement[]): IgnoredOption[] {
  const reasons = replaced.slice(0, MAX_NAMED).map(({ letter, form }) => {
    return form === '' ? `${letterName(letter)} left out` : `${letterName(letter)} printed as ${form}`;
  });
  const rest = replaced.length - reasons.length;
  if (rest > 0) reasons.push(`${rest} more letter${rest > 1 ? 's' : ''} printed in another form`);
  return reasons.map((reason) => ({ option: 'text', reason }));
}

function glyphMissing({ letter, line }: Replacement, count: number, encoding: string): NotSubmitted {
  const message = `${encoding} lacks ${letterName(letter)} in line ${line}${others(count - 1)}`;
  return new NotSubmitted('GLYPH_MISSING', message, 'permanent');
}
