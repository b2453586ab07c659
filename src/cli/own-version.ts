import { existsSync, readFileSync } from 'node:fs';

/** Relative to src/cli and dist/src/cli. */
const PLACES = ['../../package.json', '../../../package.json'];

/** `version` of package.json; undefined if the file is missing. */
export function ownVersion(): string | undefined {
  const file = PLACES.map((place) => new URL(place, import.meta.url)).find((place) => existsSync(place));
  return file && (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
