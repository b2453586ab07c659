/** What must work before requests are welcome; one entry a store or reader, `ok` or a word for what is wrong. */
export type Checks = Readonly<Record<string, 'ok' | 'failing' | 'lagging'>>;

/** Facts that an operator must see and that keep no request away. */
export type Details = Readonly<Record<string, number>>;

/** Asked by /health/ready and by the Partner surface's health operation. Never rejects. */
export abstract class Readiness {
  abstract check(): Promise<Checks>;

  /** Shown by /health/ready; a fact that cannot be read is left out. */
  details(): Promise<Details> {
    return Promise.resolve({});
  }
}

export const isReady = (checks: Checks) => Object.values(checks).every((check) => check === 'ok');
