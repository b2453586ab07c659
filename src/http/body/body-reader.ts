import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath, URL } from 'node:url';
import { Piscina } from 'piscina';
import {
  contentsOf,
  readBody,
  revive,
  type DecodedContent,
  type RawBody,
  type ReadBody,
} from './read-body.js';
import { KeyedMutex } from '../../async/keyed-mutex.js';
import { PLAIN_BODY_BYTES } from '../operation.js';

const IDLE_MS = 5_000;

/** Reads plain bodies at once, because a transfer costs more; leaves one core to the main thread. */
export class BodyReader {
  #pool: Piscina | undefined;
  /** A body waits for one large body of each other owner at most (docs/performance.md, A1c). */
  readonly #turns = new KeyedMutex();

  constructor(private readonly threads = Math.min(2, Math.max(1, availableParallelism() - 1))) {}

  /** Transfers a large body to another thread: its bytes are empty afterwards. */
  read(raw: RawBody, owner: string): ReadBody | Promise<ReadBody> {
    if (raw.bytes.byteLength <= PLAIN_BODY_BYTES) return readBody(raw);
    return this.#turns.run(owner, () => this.readElsewhere(raw));
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }

  private async readElsewhere(raw: RawBody): Promise<ReadBody> {
    const pool = (this.#pool ??= this.start());
    if (!pool) return readBody(raw);
    const result = (await pool.run(raw, { transferList: [raw.bytes.buffer] })) as ReadBody;
    if (result.ok && raw.carriesContent) reviveIn(result.value);
    return result;
  }

  /** Tests running from TypeScript find the compiled worker in dist, or read on the main thread. */
  private start(): Piscina | undefined {
    const here = new URL('./body.worker.js', import.meta.url);
    const filename = [here, new URL(here.href.replace('/src/http/', '/dist/src/http/'))]
      .map((url) => fileURLToPath(url))
      .find(existsSync);
    if (!filename) return undefined;
    return new Piscina({ filename, minThreads: 0, maxThreads: this.threads, idleTimeout: IDLE_MS });
  }
}

function reviveIn(body: unknown): void {
  for (const content of contentsOf(body)) {
    const { data } = content;
    if (typeof data === 'object' && data !== null && 'sha256' in data) {
      content['data'] = revive(data as DecodedContent);
    }
  }
}
