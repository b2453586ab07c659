import type { CreatePrintJobBody } from '../../sdk/src/generated/integration.js';

export type Content = CreatePrintJobBody['content'];
type Kind = Content['type'];

/** A file that begins with `%PDF-` is a PDF; of others the person says what they are. */
export function kindOf(bytes: Uint8Array): 'pdf' | undefined {
  return beginOf(bytes).startsWith('%PDF-') ? 'pdf' : undefined;
}

const beginOf = (bytes: Uint8Array) => String.fromCharCode(...bytes.subarray(0, 64));

/** Begins ESC/POS and PCL. */
const ESCAPE = 0x1b;
/** ZPL, EPL, PostScript. */
const RAW_BEGIN = /^(\s*(\^XA|~[A-Z]{2}|N\r?\n)|%!)/;
const RAW_NAME = /\.(zpl|epl|prn|pcl|ps|escpos|raw|bin)$/i;

/** What a file that is no PDF seems to be: the person may know better. */
export function guessOf(name: string, bytes: Uint8Array): 'text' | 'raw' {
  return RAW_NAME.test(name) || bytes[0] === ESCAPE || RAW_BEGIN.test(beginOf(bytes)) ? 'raw' : 'text';
}

/** The content of a job from the bytes of a file. @throws Error for a text that is not UTF-8 */
export function contentOf(bytes: Uint8Array, kind: Kind): Content {
  if (kind === 'text') return { type: 'text', encoding: 'utf8', data: textOf(bytes) };
  return { type: kind, encoding: 'base64', data: base64(bytes) };
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('The file is no UTF-8 text. Send it as raw bytes, or save it as UTF-8.');
  }
}

const CHUNK = 0x8000;

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += CHUNK)
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(text);
}

/** The same call with curl, for a text; files are named. */
export function curlOf(
  origin: string,
  body: Omit<CreatePrintJobBody, 'content'> & { content: object },
): string {
  return [
    `curl -X POST ${origin}/v1/svc-api-print-jobs \\`,
    `  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\`,
    `  -H "Idempotency-Key: $(uuidgen)" \\`,
    `  -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`,
  ].join('\n');
}

/** The same call with the SDK. */
export function typescriptOf(origin: string, body: object): string {
  return [
    "import { RemotePrinting } from '@remote-printing/sdk';",
    '',
    `const print = new RemotePrinting({ apiKey, baseUrl: '${origin}/v1' });`,
    `const { job } = await print.jobs.create(${JSON.stringify(body, null, 2)});`,
  ].join('\n');
}
