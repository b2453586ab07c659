import { Injectable } from '@nestjs/common';
import { HashStore, StoredTexts } from '../event-sourcing/index.js';
import { UnavailableError } from '../kernel/errors.js';
import { EVIDENCE_STREAM } from './evidence.events.js';
import type { Published } from './exports.js';
import { type LogState, progressOf } from './progress.js';
import { NoteKey } from './signed-note.js';

/** The newest checkpoint that may be served and signed for. */
@Injectable()
export class PublishedLog {
  constructor(
    private readonly texts: StoredTexts,
    private readonly hashes: HashStore,
    private readonly key: NoteKey,
  ) {}

  /** Undefined: nothing is published yet. @throws UnavailableError while the log is built again, halted or succeeded */
  async newest(): Promise<Published | undefined> {
    const { log, halt, isAtEnd } = progressOf(await this.hashes.progress());
    const isOurs = !log || log.vkey === this.key.vkey(log.origin);
    if (halt || log?.isOver || !isOurs) throw unavailable('has stopped');
    // The builder meets a publication some moments after it is stored.
    if ((await this.publishedAfter(log)) > (isAtEnd ? 1 : 0)) throw unavailable('is being built again');
    if (!log?.checkpoint) return undefined;
    const { origin, size, root } = log.checkpoint;
    return { checkpoint: { origin, size, root }, key: this.key };
  }

  /** How many events of the log were not read yet: 0, 1, or 2 for more. */
  private async publishedAfter(log: LogState | undefined): Promise<number> {
    const from = (log?.newest.revision ?? -1) + 1;
    return (await this.texts.stream(EVIDENCE_STREAM, from, 2)).length;
  }
}

const unavailable = (how: string) => new UnavailableError(`the evidence log ${how}`, 'not_written');
