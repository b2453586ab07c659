/** What must work before requests are welcome; one entry a store or reader, `ok` or a word for what is wrong. */
export type Checks = Readonly<Record<string, 'ok' | 'failing' | 'lagging'>>;

/** Asked by /health/ready and by the Partner surface's health operation. Never rejects. */
export abstract class Readiness {
  abstract check(): Promise<Checks>;
}

export const isReady = (checks: Checks) => Object.values(checks).every((check) => check === 'ok');
