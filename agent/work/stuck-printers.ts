import type { ListedPrinter, Moving } from '../printers/provider.js';
import type { StuckPrinter } from '../service/protocol.js';

const MAX_SHOWN = 20;
/** Bound of a reason (docs/agent-protocol.md). */
const MAX_REASON = 240;
/** Longest pause between two tries, in deadlines of a hand-off: an hour by default. */
const MAX_PAUSE = 60;

/** The reason by which the jobs that wait for a stuck printer are given up. */
export class PrinterStuck extends Error {
  constructor(printerKey: string, seconds: number) {
    super(`the spooler made no progress for ${seconds} s at ${printerKey}`);
    this.name = 'PrinterStuck';
  }
}

/** It made no progress until the deadline; one job may try it; it takes documents again. */
type Change = PrinterStuck | 'open' | 'free';
/** What is known of printers by their keys; undefined if only a document can tell. */
type Takes = ReadonlyMap<string, ListedPrinter['takesDocuments']>;
type Listener = (printerKey: string, change: Change) => void;
/** Runs something later; the result prevents it. */
type After = (ms: number, run: () => void) => () => void;

interface Entry {
  readonly shown: StuckPrinter;
  /** Deadlines that have passed since it last took a document. */
  readonly deadlines: number;
  state: 'hanging' | 'paused' | 'open' | 'trying';
  /** Name of the document that tries it. */
  trial?: string;
  /** Its provider knows that it takes no document now. */
  isShut: boolean;
  stopTimer?: () => void;
}

/**
 * Printers whose hand-off made no progress until its deadline. Such a printer is stuck until it has taken a document,
 * or has shown that it does. Until then one job tries it after each pause; the others wait in the service
 * (docs/decisions/122-stuck-until-proven.md).
 */
export class StuckPrinters {
  private readonly stuck = new Map<string, Entry>();
  private readonly listeners: Listener[] = [];

  constructor(
    private readonly deadlineMs: number,
    private readonly after: After = afterTimeout,
  ) {}

  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Printers that get no job now. */
  busy(): string[] {
    return [...this.stuck].filter(([, { state }]) => state !== 'open').map(([printerKey]) => printerKey);
  }

  /** The first stuck printers, as the health of a heartbeat shows them. */
  shown(): StuckPrinter[] {
    return [...this.stuck.values()].slice(0, MAX_SHOWN).map(({ shown }) => shown);
  }

  /** False if the job must wait in the service. Always `leave` after true. */
  enter(printerKey: string, documentName: string): boolean {
    const entry = this.stuck.get(printerKey);
    if (!entry) return true;
    if (entry.state !== 'open') return false;
    Object.assign(entry, { state: 'trying', trial: documentName });
    return true;
  }

  /** The hand-off of the job is over. If its outcome says nothing about the printer, the next job tries it soon. */
  leave(printerKey: string, documentName: string): void {
    const entry = this.stuck.get(printerKey);
    if (entry?.trial !== documentName) return;
    entry.trial = undefined;
    if (entry.state === 'trying') this.pause(printerKey, entry, 1);
  }

  /** It has taken a whole document. */
  took(printerKey: string): void {
    const entry = this.stuck.get(printerKey);
    if (!entry) return;
    entry.stopTimer?.();
    this.stuck.delete(printerKey);
    this.tell(printerKey, 'free');
  }

  /**
   * Call it before the printers are asked whether they take documents, and its result with their answers. What was
   * asked before a deadline says nothing about the time after it.
   */
  asking(): (takes: Takes) => void {
    const asked = new Set([...this.stuck.values()].filter(isWaiting));
    return (takes) => this.learn(takes, asked);
  }

  /** A status answer frees the printer only after its first deadline; later only a taken document does. */
  private learn(takes: Takes, asked: ReadonlySet<Entry>): void {
    for (const [printerKey, entry] of this.stuck) {
      if (!asked.has(entry) || !isWaiting(entry)) continue;
      const proof = takes.get(printerKey);
      const wasShut = entry.isShut;
      entry.isShut = proof === false;
      const isProven = proof === 'taken' || (proof === 'answers' && entry.deadlines === 1);
      if (!takes.has(printerKey) || isProven) this.took(printerKey);
      else if (entry.isShut && entry.state === 'open') entry.state = 'paused';
      else if (wasShut) this.open(printerKey, entry);
    }
  }

  /** Runs a hand-off. At the deadline its signal aborts, and the printer is stuck; it is free if `work` still moves on. */
  async watch<T>(printerKey: string, work: (moving: Moving) => Promise<T>): Promise<T> {
    const deadline = new AbortController();
    let stopTimer = (): void => undefined;
    let hanging: Entry | undefined;
    let ended = false;
    const expire = (): void => {
      const reason = new PrinterStuck(printerKey, this.deadlineMs / 1000);
      hanging = this.hang(printerKey, reason);
      deadline.abort(reason);
      this.tell(printerKey, reason);
    };
    const moved = (): void => {
      if (ended) return;
      stopTimer();
      if (hanging) this.took(printerKey);
      hanging = undefined;
      stopTimer = this.after(this.deadlineMs, expire);
    };
    moved();
    try {
      return await work({ signal: deadline.signal, moved });
    } finally {
      ended = true;
      stopTimer();
      if (hanging && this.stuck.get(printerKey) === hanging) this.pause(printerKey, hanging);
    }
  }

  private hang(printerKey: string, { message }: PrinterStuck): Entry {
    const before = this.stuck.get(printerKey);
    before?.stopTimer?.();
    const since = new Date().toISOString();
    const entry: Entry = {
      shown: before?.shown ?? { printer_key: printerKey, reason: message.slice(0, MAX_REASON), since },
      deadlines: (before?.deadlines ?? 0) + 1,
      state: 'hanging',
      trial: before?.trial,
      isShut: false,
    };
    this.stuck.set(printerKey, entry);
    return entry;
  }

  private pause(printerKey: string, entry: Entry, deadlines = entry.deadlines): void {
    entry.state = 'paused';
    const ms = this.deadlineMs * Math.min(2 ** (deadlines - 1), MAX_PAUSE);
    entry.stopTimer = this.after(ms, () => this.open(printerKey, entry));
  }

  /** A printer that is shut is opened once it is not. */
  private open(printerKey: string, entry: Entry): void {
    if (entry.isShut) return;
    entry.stopTimer?.();
    entry.state = 'open';
    this.tell(printerKey, 'open');
  }

  private tell(printerKey: string, change: Change): void {
    for (const listener of this.listeners) listener(printerKey, change);
  }
}

function isWaiting({ state }: Entry): boolean {
  return state === 'paused' || state === 'open';
}

const afterTimeout: After = (ms, run) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};
