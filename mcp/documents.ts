import { isUtf8 } from 'node:buffer';
import { createHash, createHmac } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { CreatePrintJobBody } from '../sdk/src/index.js';

/** Of a document (docs/integration-api.md). */
const MAX_BYTES = 10_485_760;

/** What a print is asked with, by `prepare_print` and again by `print`. */
const REQUEST = {
  printer_id: z.string().describe('printer_id of list_printers'),
  text: z.string().optional().describe('the document, if it is plain text'),
  pdf_base64: z.string().optional().describe('the document, if it is a PDF'),
  file: z.string().optional().describe('a PDF or text file in the folder of this server'),
  title: z
    .string()
    .max(160)
    .regex(/^\P{Cc}*$/u)
    .optional()
    .describe('name in lists and at the printer'),
  copies: z.number().int().min(1).max(20).optional(),
  occasion: z
    .string()
    .max(200)
    .optional()
    .describe('what it is for, such as an order number: the same document prints once for an occasion'),
};

export type PrintRequest = z.infer<z.ZodObject<typeof REQUEST>>;

export interface Prepared {
  readonly body: CreatePrintJobBody;
  readonly bytes: number;
  /** Of the request, or the session: the same document prints once for it, also in another session. */
  readonly occasion: string;
  /** Proves that this very request was prepared. */
  readonly confirm: string;
  /** The same for the same occasion, document, printer and copies. */
  readonly idempotencyKey: string;
}

/** Turns requests into bodies of `createPrintJob`. */
export class Documents {
  /**
   * @param session the occasion of requests that name none; undefined: they are refused
   * @param folder absolute path of readable files; undefined: none are
   */
  constructor(
    private readonly secret: string,
    private readonly session: string | undefined,
    private readonly folder: string | undefined,
  ) {}

  /** Without a folder no file can be named. */
  get request(): typeof REQUEST {
    const { file, ...others } = REQUEST;
    return this.folder === undefined ? (others as typeof REQUEST) : { ...others, file };
  }

  /** @throws Error that says what is wrong with the request */
  async prepared({ occasion = this.session, ...request }: PrintRequest): Promise<Prepared> {
    if (occasion === undefined)
      throw new Error('give an occasion: it tells this print from an earlier one of the same document');
    const content = await this.contentOf(request);
    const { printer_id, title, copies = 1 } = request;
    const body: CreatePrintJobBody = { printer_id, content, copies, ...(title !== undefined && { title }) };
    const bytes = Buffer.from(content.data, content.encoding);
    const what = [occasion, printer_id, copies, title ?? '', content.type, sha256(bytes)];
    const key = sha256(JSON.stringify(what));
    const confirm = createHmac('sha256', this.secret).update(key).digest('base64url').slice(0, 22);
    return { body, bytes: bytes.length, occasion, confirm, idempotencyKey: `mcp-${key}` };
  }

  private async contentOf({ text, pdf_base64, file }: PrintRequest): Promise<CreatePrintJobBody['content']> {
    if ([text, pdf_base64, file].filter((one) => one !== undefined).length !== 1)
      throw new Error(`give exactly one of ${CONTENTS.filter((name) => name in this.request).join(', ')}`);
    if (text === '') throw new Error('text must not be empty');
    if (text !== undefined) return { type: 'text', encoding: 'utf8', data: text };
    if (pdf_base64 !== undefined) {
      const bytes = Buffer.from(pdf_base64, 'base64');
      if (bytes.toString('base64') !== pdf_base64 || !isPdf(bytes))
        throw new Error('pdf_base64 must be a whole PDF in Base64');
      return { type: 'pdf', encoding: 'base64', data: pdf_base64 };
    }
    const bytes = await readFile(await this.inFolder(file!));
    if (isPdf(bytes)) return { type: 'pdf', encoding: 'base64', data: bytes.toString('base64') };
    if (!isUtf8(bytes)) throw new Error(`${file} is neither a PDF nor text in UTF-8`);
    return { type: 'text', encoding: 'utf8', data: bytes.toString('utf8') };
  }

  /** A link may not lead out of the folder. */
  private async inFolder(file: string): Promise<string> {
    if (this.folder === undefined)
      throw new Error('this server reads no files: it was started without --folder');
    const root = await realpath(this.folder);
    const found = await realpath(path.resolve(root, file)).catch(() => undefined);
    if (found === undefined || !found.startsWith(root + path.sep))
      throw new Error(`no file ${file} in the folder`);
    const about = await stat(found);
    if (!about.isFile() || about.size > MAX_BYTES)
      throw new Error(`${file} is no file of at most ${MAX_BYTES} bytes`);
    return found;
  }
}

const isPdf = (bytes: Buffer) => bytes.subarray(0, 5).toString('latin1') === '%PDF-';

const CONTENTS = ['text', 'pdf_base64', 'file'];

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
