import { ContentStore, type ContentPart } from '../../../src/event-sourcing/ports/content-store.port.js';

export class FakeContentStore extends ContentStore {
  /** Job ids of all writes, in order. */
  readonly puts: string[] = [];
  private readonly contents = new Map<string, Uint8Array>();

  async put(jobId: string, bytes: Uint8Array): Promise<void> {
    this.puts.push(jobId);
    this.contents.set(jobId, Uint8Array.from(bytes));
  }

  async get(jobId: string, part?: ContentPart): Promise<Uint8Array | undefined> {
    return this.contents.get(jobId)?.subarray(part?.first, part?.end);
  }

  async has(jobId: string): Promise<boolean> {
    return this.contents.has(jobId);
  }

  async ids(after: string | undefined, limit: number): Promise<readonly string[]> {
    const all = [...this.contents.keys()].sort();
    return all.filter((id) => after === undefined || id > after).slice(0, limit);
  }

  async delete(jobId: string): Promise<void> {
    this.contents.delete(jobId);
  }
}
