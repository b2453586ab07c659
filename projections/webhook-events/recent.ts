/** The values used last, at most `max` of them. */
export class Recent<V> {
  private readonly values = new Map<string, V>();

  constructor(private readonly max: number) {}

  get(key: string): V | undefined {
    const value = this.values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.values.delete(key);
    this.values.set(key, value);
    if (this.values.size <= this.max) return;
    for (const oldest of this.values.keys()) {
      this.values.delete(oldest);
      return;
    }
  }
}
