import { createHash } from 'node:crypto';
import type { ViewDefinition, ViewDocument } from '../../kernel/projection.js';
import type { Birth } from '../../ports/view-store.port.js';

/** Digest of a view's documents, taken in the order of birth; how their JSON happens to be ordered does not matter. */
export class ViewDigest {
  private readonly hash = createHash('sha256');

  constructor(private readonly view: ViewDefinition) {}

  /** The text that stands for a document in the digest. */
  line(id: string, birth: Birth, document: ViewDocument): string {
    const compared = { ...document } as Record<string, unknown>;
    for (const field of this.view.volatileFields ?? []) delete compared[field];
    return `${birth} ${JSON.stringify(id)} ${canonical(compared)}\n`;
  }

  add(line: string): void {
    this.hash.update(line);
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
