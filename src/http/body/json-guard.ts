/** Above any document of ours; limits later recursion. */
export const MAX_DEPTH = 32;
/** Limits the cost of parsing and checking. */
const MAX_VALUES = 100_000;

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const NUMBER = /-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The field of a body that lists items which are checked one by one. */
export const ITEMS = 'jobs';

/**
 * Refuses what `JSON.parse` accepts or changes silently; `JSON.parse` checks the grammar. Returns the broken
 * rule.
 * @param brokenItems gets the first rule that each item of `jobs` breaks, by its index; only other problems are returned then
 */
export function guardJson(text: string, brokenItems?: Map<number, string>): string | undefined {
  return new Guard(text, brokenItems).run();
}

class Guard {
  private at = 0;
  private values = 0;
  /** Keys of each open object; undefined for an open array. */
  private readonly open: (Set<string> | undefined)[] = [];
  private readonly owners: (string | undefined)[] = [];
  private expectsKey = false;
  private field: string | undefined;
  /** Found once for all strings before it, so that the scan stays linear. */
  private nextBackslash: number;
  /** Index in the list of the second level. */
  private item = 0;

  constructor(
    private readonly text: string,
    private readonly brokenItems: Map<number, string> | undefined,
  ) {
    this.nextBackslash = this.indexOf('\\', 0);
  }

  run(): string | undefined {
    while (this.at < this.text.length) {
      const problem = this.token(this.text.charCodeAt(this.at));
      if (problem && (this.isTooDeep || !this.isOfItem(problem))) return problem;
      if (this.values > MAX_VALUES) return `the body must hold at most ${MAX_VALUES} values`;
    }
    return undefined;
  }

  /** Of the whole body, because such a value cannot be passed between threads. */
  private get isTooDeep(): boolean {
    return this.open.length > MAX_DEPTH;
  }

  /** Keeps the first problem of an item of the list. */
  private isOfItem(problem: string): boolean {
    const isInside = this.open.length > 1 && this.open[0] && !this.open[1] && this.owners[1] === ITEMS;
    if (!isInside || !this.brokenItems) return false;
    if (!this.brokenItems.has(this.item)) this.brokenItems.set(this.item, problem);
    return true;
  }

  private token(code: number): string | undefined {
    switch (code) {
      case QUOTE:
        return this.string();
      case 0x7b: // {
        return this.enter(new Set());
      case 0x5b: // [
        return this.enter(undefined);
      case 0x7d: // }
      case 0x5d: // ]
        this.open.pop();
        this.field = this.owners.pop();
        this.expectsKey = false;
        break;
      case 0x2c: // ,
        this.expectsKey = this.open.at(-1) !== undefined;
        this.values += 1;
        if (this.open.length === 2) this.item += 1;
        break;
      default:
        if (code === 0x2d || (code >= 0x30 && code <= 0x39)) return this.number();
    }
    this.at += 1;
    return undefined;
  }

  private enter(keys: Set<string> | undefined): string | undefined {
    this.open.push(keys);
    this.owners.push(this.field);
    if (this.open.length === 2) this.item = 0;
    this.expectsKey = keys !== undefined;
    this.values += 1;
    this.at += 1;
    return this.isTooDeep ? `the body must not nest deeper than ${MAX_DEPTH} levels` : undefined;
  }

  private number(): string | undefined {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (!match) {
      this.at += 1;
      return undefined;
    }
    this.at += match[0].length;
    const value = Number(match[0]);
    if (!Number.isFinite(value)) return this.named('numbers must be finite');
    const integer = match[1] === undefined && match[2] === undefined;
    if (integer && !Number.isSafeInteger(value)) return this.named('integers must lie within ±(2^53 − 1)');
    return undefined;
  }

  private string(): string | undefined {
    const start = this.at;
    if (this.nextBackslash < start) this.nextBackslash = this.indexOf('\\', start);
    let end = this.indexOf('"', start + 1);
    let escaped = false;
    let problem: string | undefined;
    while (this.nextBackslash < end && end < this.text.length) {
      escaped = true;
      const broken = this.escape();
      problem ??= broken;
      end = this.indexOf('"', Math.max(end, this.at));
    }
    this.at = end + 1;
    const wrongKey = this.expectsKey ? this.key(start, end, escaped) : undefined;
    return problem ?? wrongKey;
  }

  private escape(): string | undefined {
    const { text, nextBackslash: slash } = this;
    let next = slash + 2;
    let isLone = false;
    if (text.charCodeAt(slash + 1) === 0x75) {
      const unit = unitAt(text, slash);
      next = slash + 6;
      const isPair = isHigh(unit) && text.charCodeAt(next) === BACKSLASH && isLow(unitAt(text, next));
      isLone = isLow(unit) || (isHigh(unit) && !isPair);
      if (isPair) next += 6;
    }
    this.at = next;
    this.nextBackslash = this.indexOf('\\', next);
    return isLone ? this.named(LONE) : undefined;
  }

  private key(start: number, end: number, escaped: boolean): string | undefined {
    const raw = this.text.slice(start + 1, end);
    const key = escaped ? unescape(raw) : raw;
    const keys = this.open.at(-1);
    this.expectsKey = false;
    if (FORBIDDEN_KEYS.has(key)) return `the key "${key}" is not allowed`;
    if (keys?.has(key)) return 'a key must not stand twice in an object';
    keys?.add(key);
    this.field = key;
    return undefined;
  }

  private named(rule: string): string {
    const name = this.expectsKey ? undefined : this.field?.slice(0, MAX_NAME);
    return name !== undefined && PRINTABLE.test(name) ? `${rule} (in ${name})` : rule;
  }

  private indexOf(what: string, from: number): number {
    const found = this.text.indexOf(what, from);
    return found < 0 ? this.text.length : found;
  }
}

const MAX_NAME = 64;
const PRINTABLE = /^[\x21-\x7e]+$/;
const LONE = 'text must be well-formed Unicode: a lone surrogate is not allowed';
const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
const unitAt = (text: string, slash: number) => Number.parseInt(text.slice(slash + 2, slash + 6), 16);

function unescape(raw: string): string {
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw; // Not JSON: the parser will report it.
  }
}
