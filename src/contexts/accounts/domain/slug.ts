const MAX_LENGTH = 48;

/** Form of a slug: lower-case words joined by single hyphens. */
export const SLUG_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const SLUG_MAX_LENGTH = 60;

/** Derives a slug from a name; `account` if no character of it is allowed. */
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

/** Endless candidates: `acme`, `acme-2`, `acme-3`, …; the first free one is used. */
export function* slugCandidates(name: string): Generator<string, never> {
  const slug = slugOf(name);
  yield slug;
  for (let n = 2; ; n++) yield `${slug}-${n}`;
}
