/** State of each store and reader that requests need. */
export type Checks = Readonly<Record<string, 'ok' | 'failing' | 'lagging'>>;

/** Numbers for operators, without effect on readiness. */
export type Details = Readonly<Record<string, number>>;

/** Readiness of this instance, for /health/ready and the Partner surface. Never rejects. */
export abstract class Readiness {
  abstract check(): Promise<Checks>;

  /** Numbers that cannot be read are left out. */
  details(): Promise<Details> {
    return Promise.resolve({});
  }
}

export const isReady = (checks: Checks) => Object.values(checks).every((check) => check === 'ok');
