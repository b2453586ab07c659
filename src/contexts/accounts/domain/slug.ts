const MAX_LENGTH = 48;

/** What a slug looks like: lower-case words with single hyphens between them. */
export const SLUG_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const SLUG_MAX_LENGTH = 60;

/** The slug that a name suggests; `account` when nothing of it can stand in a slug. */
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

/** `acme`, `acme-2`, `acme-3`, … without end: the first that is free is taken. */
export function* slugCandidates(name: string): Generator<string, never> {
  const slug = slugOf(name);
  yield slug;
  for (let n = 2; ; n++) yield `${slug}-${n}`;
}
