import { ApiError } from '../errors/api-error.js';
import { DecodedContent } from '../body/read-body.js';
import type { JsonSchema, Rule } from './rules.js';

export type ContentType = 'text' | 'pdf' | 'raw';

export interface PrintContent {
  readonly type: ContentType;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly size: number;
}

const ENCODINGS: Readonly<Record<string, string>> = { text: 'utf8', pdf: 'base64', raw: 'base64' };
const PDF_MAGIC = [0x25, 0x50, 0x44, 0x46, 0x2d]; // %PDF-

/** Precondition: its data was decoded with the body. */
function takeContent(given: unknown, problems: string[]): PrintContent | undefined {
  if (given === undefined) return fail(problems, 'content is required');
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return fail(problems, 'content must be an object of type, encoding and data');
  }
  const { type, encoding, data, ...rest } = given as Record<string, unknown>;
  if (Object.keys(rest).length > 0)
    return fail(problems, 'content must carry exactly type, encoding and data');
  const expected = typeof type === 'string' && Object.hasOwn(ENCODINGS, type) ? ENCODINGS[type] : undefined;
  if (!expected) return fail(problems, 'content.type must be one of text, pdf, raw');
  if (encoding !== expected) return fail(problems, `content.encoding must be ${expected} for this type`);
  if (!(data instanceof DecodedContent)) return fail(problems, 'content.data must be a string');
  const rule = brokenRule(type as ContentType, data);
  if (rule) return fail(problems, `content.data ${rule}`);
  return { type: type as ContentType, bytes: data.bytes, sha256: data.sha256, size: data.size };
}

/** @throws ApiError 413, before the checks that answer 400 */
export function refuseTooLarge(content: unknown): void {
  const data =
    typeof content === 'object' && content !== null ? (content as { data?: unknown }).data : undefined;
  if (data instanceof DecodedContent && data.problem === 'too_large') throw new ApiError('contentTooLarge');
}

function brokenRule(type: ContentType, { bytes, size, problem }: DecodedContent): string | undefined {
  if (problem)
    return 'must be strict Base64 (RFC 4648): alphabet, padding, no white space, zero trailing bits';
  if (size === 0) return 'must hold at least 1 byte';
  if (type === 'pdf' && !PDF_MAGIC.every((byte, i) => bytes[i] === byte))
    return 'must be a whole PDF: it begins with %PDF-';
  return undefined;
}

function fail(problems: string[], problem: string): undefined {
  problems.push(problem);
  return undefined;
}

const variant = (type: ContentType, data: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['type', 'encoding', 'data'],
  additionalProperties: false,
  properties: {
    type: { type: 'string', const: type },
    encoding: { type: 'string', const: ENCODINGS[type]! },
    data: { type: 'string', ...data },
  },
});

const base64: JsonSchema = { minLength: 4, contentEncoding: 'base64' };

const printContentSchema: JsonSchema = {
  description: 'The document: type selects the variant. At most 10,485,760 decoded bytes.',
  oneOf: [
    variant('text', { minLength: 1, description: 'UTF-8 text' }),
    variant('pdf', { ...base64, description: 'Base64 of a whole PDF' }),
    variant('raw', { ...base64, description: 'Base64 of bytes the printer understands' }),
  ],
};

const PRINT_CONTENT: Rule = {
  schema: printContentSchema,
  message: 'must be an object of type, encoding and data',
  accepts: () => true,
  readApart: takeContent,
};

export const printContent = (): Rule => PRINT_CONTENT;
