export type Checks = Readonly<Record<string, 'ok' | 'failing' | 'lagging'>>;

/** Figures for operators, without effect on readiness. */
export type Details = Readonly<Record<string, number>>;

/** Never rejects. */
export abstract class Readiness {
  abstract check(): Promise<Checks>;

  details(): Promise<Details> {
    return Promise.resolve({});
  }
}

export const isReady = (checks: Checks) => Object.values(checks).every((check) => check === 'ok');
