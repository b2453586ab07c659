import { Controller, Injectable, Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, getPriority, setPriority } from 'node:os';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller, onHangUp } from '../../../http/request.js';
import { Field, orNull } from '../../../http/validation/field.js';
import { integer, objects, text as textRule } from '../../../http/validation/rules.js';
import type { Milliseconds } from '../../../kernel/time.js';
import { Turns } from '../../turns.js';
import { panel } from '../panel.surface.js';
import type { MemberCaller } from '../session.authenticator.js';
import { OpenedDocuments } from './jobs.controller.js';

/** Beside the compiled program, or in the build if the sources run. */
const PROGRAMS = ['../../../../agent', '../../../../dist/agent'].map((folder) =>
  fileURLToPath(new URL(`${folder}/printers/pdf/preview-program.js`, import.meta.url)),
);
const RENDERER = '@hyzyla/pdfium';
const MAX_PAGES = 3;
const MAX_WIDTH = 560;
const MAX_HEIGHT = 800;
const LIMIT: Milliseconds = 15_000;
const HEAP_MIB = 256;
/** Three pictures of two million characters, and what is around them. */
const MAX_ANSWER_BYTES = 6 * 2 ** 20;

const pixels = integer(1, MAX_HEIGHT);

export class PagePicture {
  @Field(pixels) width!: number;
  @Field(pixels) height!: number;
  @Field(textRule({ max: 2_000_000 }), { description: 'A picture, in base64' }) png!: string;
}

export class DocumentPreview {
  @Field(objects(() => PagePicture, MAX_PAGES), { description: 'From the first on' })
  pages!: readonly PagePicture[];
  @Field(integer(1, Number.MAX_SAFE_INTEGER), { nullable: true, description: 'Of the whole document' })
  page_count!: number | null;
  @Field(textRule({ max: 500 }), orNull) problem!: string | null;

  static readonly example: DocumentPreview = {
    pages: [{ width: 560, height: 792, png: 'iVBORw0KGgo=' }],
    page_count: 12,
    problem: null,
  };
}

/** @param why continues "The service …" */
export const notDrawn = (why: string): DocumentPreview => ({
  pages: [],
  page_count: null,
  problem: `The service ${why}.`.slice(0, 500),
});

/**
 * Draws pages in a process of its own, which gets no secret of the service, bounded memory and little time: a document may
 * be hostile. The program belongs to the Agent, and shares its arguments, input and output with this class alone.
 */
@Injectable()
export class PageDrawing {
  private readonly program = canResolve(RENDERER) ? PROGRAMS.find((file) => existsSync(file)) : undefined;

  /** Why no page can be drawn; undefined if pages can. */
  get problem(): string | undefined {
    return this.program === undefined ? `draws no pages, because ${RENDERER} is not installed` : undefined;
  }

  /** The process ends with `signal`, too. */
  async draw(bytes: Uint8Array, signal: AbortSignal): Promise<DocumentPreview> {
    const size = [MAX_PAGES, MAX_WIDTH, MAX_HEIGHT].map(String);
    const child: ChildProcess = spawn(
      process.execPath,
      [`--max-old-space-size=${HEAP_MIB}`, this.program!, ...size],
      {
        stdio: ['pipe', 'pipe', 'ignore'],
        ...{ env: {}, timeout: LIMIT, killSignal: 'SIGKILL', signal },
      },
    );
    child.on('error', () => undefined); // Its output ends then, too.
    const { pid, stdin, stdout } = child;
    // The system has no process or file handle left.
    if (pid === undefined || !stdin || !stdout) return notDrawn('cannot draw this document now');
    stdin.on('error', () => undefined).end(bytes);
    const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
    setPriority(pid, Math.min(getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW));
    const answer = await boundedText(stdout).catch(() => '');
    child.kill('SIGKILL'); // It may still write.
    return previewOf(answer);
  }
}

/** Empty if it is too long. */
export async function boundedText(output: Readable, max = MAX_ANSWER_BYTES): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of output as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > max) return '';
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

type Drawn = Pick<DocumentPreview, 'pages' | 'page_count'> | { readonly problem: string };

/** @param answer of the program; incomplete if it was ended */
function previewOf(answer: string): DocumentPreview {
  try {
    const drawn = JSON.parse(answer) as Drawn;
    return 'problem' in drawn ? notDrawn(drawn.problem) : { ...drawn, problem: null };
  } catch {
    return notDrawn('cannot draw this document: it takes too much time or memory');
  }
}

function canResolve(name: string): boolean {
  try {
    return createRequire(import.meta.url).resolve(name) !== '';
  } catch {
    return false;
  }
}

/** At most two drawings at once, and one for each account, so that no account takes both places. */
const DRAWINGS = { ofProcess: 2, ofAccount: 1, ofOwner: 1, waiting: 4 } as const;

const Operation = operationsOf(panel, { tag: 'Jobs' });

@Controller()
export class PreviewController {
  private readonly turns = new Turns('drawings', DRAWINGS);

  constructor(
    private readonly jobs: JobQueries,
    private readonly opened: OpenedDocuments,
    private readonly drawing: PageDrawing,
  ) {}

  @Operation({
    id: 'previewDocument',
    route: 'GET /v1/panel/jobs/:job_id/preview',
    summary: 'Show the first pages of a document',
    description: 'Up to three pages of a PDF, as pictures. Stores who opened the document.',
    scopes: ['jobs:read', 'panel:documents'],
    limit: { perMinute: 30 },
    success: ok('The pages, or why there are none.', DocumentPreview),
    errors: ['CONTENT_NOT_FOUND'],
  })
  async preview(
    @Param('job_id') jobId: string,
    @Caller() caller: MemberCaller,
    @Req() request: FastifyRequest,
  ): Promise<DocumentPreview> {
    const { accountId } = caller;
    const job = orNotFound(await this.jobs.getJob(accountId, jobId), 'JOB_NOT_FOUND');
    const { problem } = this.drawing;
    if (problem !== undefined) return notDrawn(problem);
    if (job.content_type !== 'pdf') return notDrawn('draws only PDF');
    if (request.method === 'HEAD') {
      await this.opened.peek(job);
      return notDrawn('draws nothing for HEAD');
    }
    const gone = new AbortController();
    const settle = onHangUp(request, () => gone.abort());
    const leave = await this.turns.take(accountId, caller.by.actor.id);
    try {
      if (gone.signal.aborted) return notDrawn('draws nothing for a closed connection');
      const body = await this.opened.open(job, caller);
      const bytes = body instanceof Readable ? await buffer(body) : body;
      return await this.drawing.draw(bytes, gone.signal);
    } finally {
      leave();
      settle();
    }
  }
}
