/** The hand-off follows at once, unless the lease is lost. */
const KEPT_MS = 60_000;

/** Prepared documents between admission and hand-off: the last one of each printer, for a minute. */
export class Admissions<T extends { readonly documentName: string; readonly discard?: () => void }> {
  private readonly kept = new Map<string, { readonly admitted: T; readonly timer: NodeJS.Timeout }>();

  keep(printer: string, admitted: T): void {
    this.drop(printer)?.discard?.();
    const timer = setTimeout(() => this.drop(printer)?.discard?.(), KEPT_MS).unref();
    this.kept.set(printer, { admitted, timer });
  }

  /** Removes what is kept for the printer; undefined if it is another document. */
  take(printer: string, documentName: string): T | undefined {
    const admitted = this.drop(printer);
    if (admitted?.documentName === documentName) return admitted;
    admitted?.discard?.();
    return undefined;
  }

  forget(documentName: string): void {
    for (const [printer, { admitted }] of this.kept)
      if (admitted.documentName === documentName) this.drop(printer)?.discard?.();
  }

  private drop(printer: string): T | undefined {
    const kept = this.kept.get(printer);
    clearTimeout(kept?.timer);
    this.kept.delete(printer);
    return kept?.admitted;
  }
}
