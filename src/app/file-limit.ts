/** Loading the program opens up to 300 files at once. */
export const FEWEST_FILES = 512;
/** For documents, webhooks and the database; connections may take the rest. */
const RESERVED_FILES = 256;
/** A connection takes one, a document and a webhook under way another. */
export const ENOUGH_FILES = 4_096;

interface UserLimits {
  readonly userLimits?: { readonly open_files?: { readonly soft: number | 'unlimited' } };
}

/** How many files the process may have open (`ulimit -n`); undefined where it is unlimited or unknown. */
export function openFileLimit(): number | undefined {
  const report = process.report.getReport() as unknown as UserLimits;
  const limit = report.userLimits?.open_files?.soft;
  return typeof limit === 'number' ? limit : undefined;
}

/** Connections beyond are closed, so that writes never lack a file; undefined where nothing limits them. */
export function mostConnections(limit = openFileLimit()): number | undefined {
  return limit === undefined ? undefined : Math.max(limit - RESERVED_FILES, 1);
}

export const raiseLimit = (limit: number) =>
  `the process may open ${limit} files and needs ${FEWEST_FILES}, better ${ENOUGH_FILES}: raise the limit (ulimit -n, LimitNOFILE=)`;
