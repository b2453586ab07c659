import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';

/** Loading the program opens up to 300 files at once. */
export const MIN_FILES = 512;
const RESERVED_FILES = 256;
/** Each connection, open document and webhook request takes one file. */
export const ENOUGH_FILES = 4_096;

interface UserLimits {
  readonly userLimits?: { readonly open_files?: { readonly soft: number | 'unlimited' } };
}

/** `ulimit -n`; undefined if unlimited or unknown. */
export function openFileLimit(): number | undefined {
  const limit = limitOfLinux() ?? limitOfReport();
  return typeof limit === 'number' ? limit : undefined;
}

/** From proc(5) `limits`, because a report takes 10 ms and a start asks three times. */
function limitOfLinux(): number | 'unlimited' | undefined {
  try {
    const [, soft] = /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    if (soft === undefined) return undefined;
    return soft === 'unlimited' ? soft : Number(soft);
  } catch {
    return undefined; // Another system, or one without /proc.
  }
}

function limitOfReport(): number | 'unlimited' | undefined {
  const report = process.report.getReport() as unknown as UserLimits;
  return report.userLimits?.open_files?.soft;
}

/** Not accepted yet. Node's 511 are too few for a fleet that connects again at once: those beyond try again after a second. */
export const WAITING_CONNECTIONS = 4_096;

export function limitConnections(server: Server): void {
  const limit = openFileLimit();
  if (limit !== undefined) server.maxConnections = Math.max(limit - RESERVED_FILES, 1);
}

export const raiseLimit = (limit: number) =>
  `the process may open ${limit} files and needs ${MIN_FILES}, better ${ENOUGH_FILES}: raise the limit (ulimit -n, LimitNOFILE=)`;
