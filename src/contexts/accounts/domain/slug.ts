const MAX_LENGTH = 48;

export const SLUG_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const SLUG_MAX_LENGTH = 60;

/** Falls back to `account` if no character is allowed. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((word) => word !== '');
  const slug = words.join('-').slice(0, MAX_LENGTH);
  return (slug.endsWith('-') ? slug.slice(0, -1) : slug) || 'account';
}

/** Then numbers are random, so that a name costs few tries however many accounts have it. */
const LAST_IN_ORDER = 9;

/**
 * Endless: `acme`, `acme-2`, `acme-3`, …, `acme-9`, `acme-6204117`, …
 * @param randomNumber of at most eight digits
 */
export function* slugCandidates(name: string, randomNumber: () => number): Generator<string, never> {
  const slug = slugOf(name);
  yield slug;
  for (let n = 2; n <= LAST_IN_ORDER; n++) yield `${slug}-${n}`;
  for (;;) yield `${slug}-${randomNumber()}`;
}
