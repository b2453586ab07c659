import { ApiError } from '../errors/api-error.js';
import { shown } from '../validation/validate-request.js';

/** Neither percent signs nor anything beyond printable ASCII. */
const NOTHING_ENCODED = /^[!-$&-~]*$/;
const ASCII = /^[!-~]*$/;

/**
 * RFC 3986, 2.1 and UTF-8: every percent sign begins an octet, and the octets of a name or value are UTF-8. Fastify
 * would take a broken sequence for the text itself, and the client would get an answer to another question.
 * @throws ApiError 400, naming the parameter
 */
export function refuseMalformedQuery(url: string): void {
  const start = url.indexOf('?');
  if (start < 0 || NOTHING_ENCODED.test(url)) return;
  for (const pair of url.slice(start + 1).split('&')) {
    if (isPercentEncodedUtf8(pair)) continue;
    const name = shown(pair.split('=', 1)[0]!);
    throw new ApiError('malformed', `The query parameter ${name} must be percent-encoded UTF-8.`);
  }
}

function isPercentEncodedUtf8(text: string): boolean {
  if (!ASCII.test(text)) return false;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
