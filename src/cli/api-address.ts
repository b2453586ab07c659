import { InvalidArgumentError } from 'commander';

/**
 * Base address of the API, ending in `/v1`, from an address with or without it.
 * @throws InvalidArgumentError if the text is not an http(s) address
 */
export function apiAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new InvalidArgumentError('must be an address such as http://127.0.0.1:3000');
  const segments = url.pathname.split('/').filter(Boolean);
  if (segments.at(-1) !== 'v1') segments.push('v1');
  return [url.origin, ...segments].join('/');
}
