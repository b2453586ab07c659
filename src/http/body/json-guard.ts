/** Above any document of ours; limits later recursion. */
export const MAX_DEPTH = 32;
/** Limits the cost of parsing and checking. */
const MAX_VALUES = 100_000;

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const NUMBER = /-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Refuses what `JSON.parse` accepts or changes silently; `JSON.parse` checks the grammar. Returns the broken
 * rule.
 */
export function guardJson(text: string): string | undefined {
  return new Guard(text).run();
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

  constructor(private readonly text: string) {
    this.nextBackslash = this.indexOf('\\', 0);
  }

  run(): string | undefined {
    while (this.at < this.text.length) {
      const problem = this.token(this.text.charCodeAt(this.at));
      if (problem) return problem;
      if (this.values > MAX_VALUES) return `the body must hold at most ${MAX_VALUES} values`;
    }
    return undefined;
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
        break;
      default:
        if (code === 0x2d || (code >= 0x30 && code <= 0x39)) return this.number();
    }
    this.at += 1;
    return undefined;
  }

  private enter(keys: Set<string> | undefined): string | undefined {
    if (this.open.length === MAX_DEPTH) return `the body must not nest deeper than ${MAX_DEPTH} levels`;
    this.open.push(keys);
    this.owners.push(this.field);
    this.expectsKey = keys !== undefined;
    this.values += 1;
    this.at += 1;
    return undefined;
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
    while (this.nextBackslash < end && end < this.text.length) {
      escaped = true;
      const problem = this.escape();
      if (problem) return problem;
      end = this.indexOf('"', Math.max(end, this.at));
    }
    this.at = end + 1;
    return this.expectsKey ? this.key(start, end, escaped) : undefined;
  }

  private escape(): string | undefined {
    const { text, nextBackslash: slash } = this;
    let next = slash + 2;
    if (text.charCodeAt(slash + 1) === 0x75) {
      const unit = unitAt(text, slash);
      next = slash + 6;
      if (isLow(unit)) return this.named(LONE);
      if (isHigh(unit)) {
        if (text.charCodeAt(next) !== BACKSLASH || !isLow(unitAt(text, next))) return this.named(LONE);
        next += 6;
      }
    }
    this.at = next;
    this.nextBackslash = this.indexOf('\\', next);
    return undefined;
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
