import { readFileSync } from 'node:fs';

/** `version` of package.json: of the repository, two folders up from dist/, or of the Agent's package, one folder up. */
export const AGENT_VERSION = versionOf('../package.json') ?? versionOf('../../package.json') ?? 'unknown';

function versionOf(file: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as { version: string }).version;
  } catch {
    return undefined;
  }
}
