import type { DocumentProcess } from './document-process.js';
import type { DocumentProcesses } from './document-processes.js';
import type { DriverFacts } from './driver-facts.js';
import type { QueueInfo } from './spooler-api.js';

/** Time that a driver has to answer. */
const LIMIT_MS = 10_000;
/** An inventory waits so long for new answers, because jobs wait for the first one. */
const INVENTORY_WAITS_MS = 3000;
/** Processes that ask at once, so that a driver that hangs holds up few others. */
const LANES = 2;
/** Trays and other parts are added without a trace in the settings of a queue, and print servers come back. */
const ASK_AGAIN_MS = 3_600_000;
const ASK_AGAIN_AFTER_FAILURE_MS = 600_000;

interface Entry {
  /** Driver, port and settings of the queue. */
  readonly version: string;
  readonly askedAt: number;
  facts?: DriverFacts;
}

/**
 * Asks the drivers of queues what they can do, in processes apart, because that loads code of their vendors. A driver
 * that hangs or breaks has no answer; the others go on (docs/decisions/093-options-on-windows.md).
 */
export class DriverQuestions {
  private readonly entries = new Map<string, Entry>();
  private readonly waiting: string[] = [];
  private readonly lanes = new Set<Promise<void>>();

  constructor(
    private readonly processes: DocumentProcesses,
    private readonly limitMs = LIMIT_MS,
  ) {}

  factsOf(queue: string): DriverFacts | undefined {
    return this.entries.get(queue)?.facts;
  }

  /** Asks for queues that are new or have changed, and waits for answers, but not for long. */
  async ask(queues: readonly QueueInfo[]): Promise<void> {
    const isNew = queues.filter((queue) => this.enter(queue)).length > 0;
    while (this.waiting.length > 0 && this.lanes.size < LANES) {
      const lane: Promise<void> = this.work().finally(() => this.lanes.delete(lane));
      this.lanes.add(lane);
    }
    if (!isNew) return;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>(
      (resolve) => (timer = setTimeout(resolve, Math.min(this.limitMs, INVENTORY_WAITS_MS))),
    );
    await Promise.race([Promise.all(this.lanes), limit]);
    clearTimeout(timer);
  }

  /** True for a queue without an answer so far. */
  private enter({ name, driver, port, settings }: QueueInfo): boolean {
    const version = [driver, port, settings].join('\n');
    const known = this.entries.get(name);
    const isSame = known?.version === version;
    const validMs = known?.facts ? ASK_AGAIN_MS : ASK_AGAIN_AFTER_FAILURE_MS;
    if (isSame && performance.now() - known.askedAt < validMs) return false;
    this.entries.set(name, { version, askedAt: performance.now(), facts: isSame ? known.facts : undefined });
    if (!this.waiting.includes(name)) this.waiting.push(name);
    return !isSame;
  }

  private async work(): Promise<void> {
    let process: DocumentProcess | undefined;
    for (let queue; (queue = this.waiting.shift()) !== undefined;) {
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), this.limitMs);
      const entry = this.entries.get(queue);
      try {
        process ??= await this.processes.take('');
        const facts = await process.describe(queue, { signal: deadline.signal, moved: () => undefined });
        if (entry) entry.facts = facts;
      } catch {
        process?.end();
        process = undefined;
      } finally {
        clearTimeout(timer);
      }
    }
    process?.end();
  }
}
