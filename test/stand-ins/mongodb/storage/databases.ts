import { Collection } from './collection.js';

/** All data, by namespace. It outlives connections and restarts, not the process. */
export class Databases {
  private readonly collections = new Map<string, Collection>();

  find(db: string, name: string): Collection | undefined {
    return this.collections.get(`${db}.${name}`);
  }

  /** mongod makes a collection with its first document or index. */
  make(db: string, name: string): Collection {
    const namespace = `${db}.${name}`;
    let collection = this.collections.get(namespace);
    if (!collection) this.collections.set(namespace, (collection = new Collection(namespace)));
    return collection;
  }

  drop(db: string, name: string): boolean {
    for (const watcher of this.find(db, name)?.watchers ?? []) watcher('drop');
    return this.collections.delete(`${db}.${name}`);
  }

  dropDatabase(db: string): void {
    for (const name of this.names(db)) this.drop(db, name);
  }

  databaseNames(): string[] {
    return [...new Set([...this.collections.keys()].map((key) => key.slice(0, key.indexOf('.'))))];
  }

  names(db: string): string[] {
    const prefix = `${db}.`;
    return [...this.collections.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length));
  }
}
