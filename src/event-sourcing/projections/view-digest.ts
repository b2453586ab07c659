import { createHash } from 'node:crypto';
import type { ViewDefinition, ViewDocument } from '../../kernel/projection.js';
import type { CreationPosition } from '../../kernel/recorded-event.js';

/** Digest of a view's documents in the order of creation; the order of their JSON fields does not matter. */
export class ViewDigest {
  private readonly hash = createHash('sha256');

  constructor(private readonly view: ViewDefinition) {}

  add(id: string, birth: CreationPosition, document: ViewDocument): void {
    const compared = { ...document } as Record<string, unknown>;
    for (const field of this.view.volatileFields ?? []) delete compared[field];
    this.hash.update(`${birth} ${JSON.stringify(id)} ${canonical(compared)}\n`);
  }

  addTotal(key: string, n: number): void {
    this.hash.update(`${key} ${n}\n`);
  }

  result(): string {
    return this.hash.digest('hex');
  }
}

function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(',')}]`;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}
