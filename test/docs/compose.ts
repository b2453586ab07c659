import { parse } from 'yaml';
import { documentText } from './markdown.js';

export interface ComposeService {
  readonly image: string;
  readonly build?: string;
  readonly platform?: string;
  readonly mem_limit?: string;
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly restart?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

export const SINGLE = 'docker-compose.yml';
export const CLUSTER = 'docker-compose.cluster.yml';

/** Resolves anchors and merges compose files in order: mappings are merged, lists concatenated. */
export function composed(...files: readonly string[]): Compose {
  return files.map((file) => parse(documentText(file), { merge: true }) as Compose).reduce(merged) as Compose;
}

/** Substitutes variables like compose; throws for a missing required one. */
export function substituted(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(
    /\$\{([A-Z_]+)(?:(:-|:\?)([^}]*))?\}/g,
    (_, name: string, how: string, rest: string) => {
      const value = values[name];
      if (value === undefined && how === ':?') throw new Error(`${name} is required: ${rest}`);
      return value ?? rest ?? '';
    },
  );
}

function merged<T>(base: T, over: T): T {
  if (Array.isArray(base) && Array.isArray(over))
    return [...(base as unknown[]), ...(over as unknown[])] as T;
  if (!isMapping(base) || !isMapping(over)) return over;
  const names = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      name in over ? (name in base ? merged(base[name], over[name]) : over[name]) : base[name],
    ]),
  ) as T;
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
