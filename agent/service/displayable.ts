const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;
const LONE_SURROGATES = /\p{Cs}/gu;

/**
 * Text as the service accepts it for display: control characters become spaces, halves of surrogate pairs U+FFFD, and
 * it ends after `max` characters. Empty if nothing remains.
 */
export function displayable(text: string, max: number): string {
  const plain = text.replace(CONTROLS, ' ').replace(LONE_SURROGATES, '\ufffd').trim();
  return [...plain].slice(0, max).join('').trim();
}
