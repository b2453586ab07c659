/**
 * A map that keeps what was used lately: when the younger half is full, the older half is forgotten. Far cheaper
 * than an exact order of use, which is renewed at every look.
 */
export class Recent<V> {
  private young = new Map<string, V>();
  private old = new Map<string, V>();

  constructor(private readonly half: number) {}

  get(key: string): V | undefined {
    const found = this.young.get(key);
    if (found !== undefined || this.old.size === 0) return found;
    const older = this.old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: V): void {
    this.young.set(key, value);
    if (this.young.size < this.half) return;
    this.old = this.young;
    this.young = new Map();
  }

  clear(): void {
    this.young.clear();
    this.old.clear();
  }
}
