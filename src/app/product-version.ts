import { readFileSync } from 'node:fs';

/** Searches package.json upwards, because this file runs from dist/. */
export function productVersion(): string {
  for (const up of ['../../package.json', '../../../package.json']) {
    try {
      return (JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as { version: string }).version;
    } catch {
      continue;
    }
  }
  throw new Error('package.json is missing');
}
