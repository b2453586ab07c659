import { Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { HashStore, StoredTexts } from '../event-sourcing/index.js';
import { accountOf, SYSTEM } from '../evidence/entry.js';
import { EvidenceExport, type Published } from '../evidence/exports.js';
import { publishedTile } from '../evidence/log-tiles.js';
import { PublishedLog } from '../evidence/published-log.js';
import { signCheckpoint } from '../evidence/statements.js';
import { BareAnswer } from '../http/answer.js';
import { ApiError } from '../http/errors/api-error.js';
import { onHangUp } from '../http/request.js';
import { Field } from '../http/validation/field.js';
import { dateTime, text } from '../http/validation/rules.js';
import { CorruptEventError, UnavailableError } from '../kernel/errors.js';
import { Clock, type Milliseconds } from '../kernel/time.js';
import { ReadingPace, Turns } from './turns.js';

/** Two files at once, and one for each account, so that no account takes both places. */
const FILES = { ofProcess: 2, ofAccount: 1, ofOwner: 1, waiting: 4 } as const;
const OF_OPERATORS = { ...FILES, ofProcess: 1 } as const;
const WAIT: Milliseconds = 30_000;
const AT_MOST: Milliseconds = 600_000;
/** Events are read at most this long before the first byte: with `WAIT`, well within the read timeout of a proxy. */
const READ_AHEAD: Milliseconds = 10_000;
const CHUNK = 65_536;

export interface FileFor {
  readonly request: FastifyRequest;
  readonly accountId: string;
  /** The key or person. */
  readonly owner: string;
  /** Operators have a place of their own. */
  readonly isOperator?: true;
}

export class SinceQuery {
  @Field(
    text({
      max: 160,
      pattern: /^[1-9]\d{0,14}(,[1-9]\d{0,14}){0,9}$/,
      message: 'must be sizes of checkpoints',
    }),
    { optional: true, description: 'Sizes of checkpoints that you keep, at most ten, separated by commas' },
  )
  since?: string;
}

export class PeriodQuery extends SinceQuery {
  @Field(dateTime(), { optional: true, description: 'Events from this time on, and one more before' })
  from?: string;
  @Field(dateTime(), { optional: true, description: 'Events until this time, and one more after' })
  to?: string;
}

/** Each size once, ascending. */
const sizesOf = ({ since }: SinceQuery): readonly number[] =>
  [...new Set(since?.split(',').map(Number) ?? [])].sort((a, b) => a - b);

/** Proof files and heads as text (docs/evidence.md): few at a time, streamed, and bounded in time. */
@Injectable()
export class EvidenceAnswers {
  private readonly logger = new Logger(EvidenceAnswers.name);
  private readonly turns: Turns;
  private readonly turnsOfOperators: Turns;

  constructor(
    private readonly log: PublishedLog,
    private readonly texts: StoredTexts,
    private readonly hashes: HashStore,
    private readonly clock: Clock,
  ) {
    const patience = { clock, atMost: WAIT };
    this.turns = new Turns('proof files', FILES, patience);
    this.turnsOfOperators = new Turns('proof files', OF_OPERATORS, patience);
  }

  /** @throws ApiError `NOT_PUBLISHED_YET` */
  private async newest(): Promise<Published> {
    const published = await this.log.newest();
    if (!published) throw new ApiError('NOT_PUBLISHED_YET');
    return published;
  }

  /** @throws ApiError `NOT_PUBLISHED_YET` */
  async checkpoint(): Promise<BareAnswer> {
    const { key, checkpoint } = await this.newest();
    return plain(signCheckpoint(key, checkpoint));
  }

  /** @throws ApiError `NOT_PUBLISHED_YET` */
  async vkey(): Promise<BareAnswer> {
    const { key, checkpoint } = await this.newest();
    return plain(`${key.vkey(checkpoint.origin)}\n`);
  }

  /** Hashes of a tile, undefined if the newest checkpoint does not cover it. @throws ApiError `NOT_PUBLISHED_YET` */
  async tile(level: number, path: string): Promise<Uint8Array | undefined> {
    return publishedTile(this.hashes, level, path, (await this.newest()).checkpoint.size);
  }

  /** The account of a stream, or `system`; undefined without events. @throws ApiError `EVENT_DAMAGED` */
  async accountOfStream(name: string): Promise<string | undefined> {
    const account = async () => {
      const [first] = await this.texts.stream(name, 0, 1);
      return first && accountOf(first);
    };
    return account().catch(refuseDamage);
  }

  /** @throws ApiError `NOT_PUBLISHED_YET` */
  async head(accountId: string): Promise<BareAnswer> {
    const head = await this.exportOf(await this.newest()).head(accountId);
    if (head === undefined) throw new ApiError('NOT_PUBLISHED_YET');
    return plain(head);
  }

  /** The proof file of the account, or of a period. @throws ApiError as `stream` */
  account(who: FileFor, query: PeriodQuery): Promise<BareAnswer> {
    const name = who.accountId === SYSTEM ? SYSTEM : `account-${who.accountId}`;
    return this.file(who, name, query, async (source, since) => {
      let mayReadAhead = who.request.method !== 'HEAD';
      const cancel = this.clock.after(READ_AHEAD, () => (mayReadAhead = false));
      return source.account(who.accountId, { ...query, since }, () => mayReadAhead).finally(cancel);
    });
  }

  /**
   * The proof file of a stream of the account.
   * @throws ApiError `NOT_PUBLISHED_YET`, `EVENT_DAMAGED`; 400 for a size beyond the newest checkpoint; 429 if too many
   * wait, or too long
   */
  stream(who: FileFor, name: string, query: SinceQuery): Promise<BareAnswer> {
    return this.file(who, name, query, (source, since) => source.stream(name, since));
  }

  /** @param write makes the text of the file; undefined if nothing of it is covered */
  private async file(
    { request, accountId, owner, isOperator }: FileFor,
    name: string,
    query: SinceQuery,
    write: (source: EvidenceExport, since: readonly number[]) => Promise<AsyncGenerator<string> | undefined>,
  ): Promise<BareAnswer> {
    const turns = isOperator ? this.turnsOfOperators : this.turns;
    const leave = await turns.take(accountId, owner);
    const ending = new AbortController();
    const end = () => ending.abort(new UnavailableError('the proof file took too long', 'not_written'));
    const stops = [this.clock.after(AT_MOST, end), onHangUp(request, end), leave];
    const settle = () => stops.forEach((stop) => stop());
    try {
      const published = await this.newest();
      const [{ size }, since] = [published.checkpoint, sizesOf(query)];
      if (since.some((old) => old > size))
        throw new ApiError('invalid', `since must be at most ${size}, the size of the newest checkpoint.`);
      const text = await write(this.exportOf(published, ending.signal), since).catch(refuseDamage);
      if (!text) throw new ApiError('NOT_PUBLISHED_YET');
      ending.signal.throwIfAborted();
      const isHead = request.method === 'HEAD';
      const body = isHead ? '' : this.streamed(text, ending.signal).once('close', settle);
      if (isHead) settle();
      return new BareAnswer(200, body, {
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': `attachment; filename="${name}.rps"`,
      });
    } catch (error) {
      settle();
      throw error;
    }
  }

  private exportOf(published: Published, signal?: AbortSignal): EvidenceExport {
    return new EvidenceExport(published, this.texts, this.hashes, signal);
  }

  private streamed(text: AsyncGenerator<string>, signal: AbortSignal): Readable {
    const end = () => void out.destroy();
    const pace = new ReadingPace(this.clock, end);
    const out = Readable.from(chunks(text, pace), { objectMode: false });
    signal.addEventListener('abort', end, { once: true });
    return out.once('error', ({ message }) => this.logger.error(`a proof file broke off: ${message}`));
  }
}

/** @throws ApiError `EVENT_DAMAGED` that names an event that cannot be read; any other error as it is */
function refuseDamage(error: unknown): never {
  if (!(error instanceof CorruptEventError)) throw error;
  throw new ApiError('EVENT_DAMAGED', `Event ${error.revision} of the stream ${error.stream} is damaged.`);
}

/** Other requests are answered between two chunks. */
async function* chunks(text: AsyncIterable<string>, pace: ReadingPace): AsyncGenerator<Buffer> {
  let held = '';
  for await (const piece of text) {
    held += piece;
    if (held.length < CHUNK) continue;
    yield* paced(Buffer.from(held), pace);
    held = '';
    await setImmediate();
  }
  yield* paced(Buffer.from(held), pace);
}

function* paced(chunk: Buffer, pace: ReadingPace): Generator<Buffer> {
  const wanted = pace.given(chunk.length);
  try {
    yield chunk;
  } finally {
    wanted();
  }
}

const plain = (text: string) => new BareAnswer(200, text, { 'content-type': 'text/plain; charset=utf-8' });
