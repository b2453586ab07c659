const UNSHOWN = /^[\p{C}\p{M}\p{Z}]$/u;

/** A letter with its number, as messages name it: `ł (U+0142)`. */
export function letterName(letter: string): string {
  const code = (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return UNSHOWN.test(letter) ? `U+${code}` : `${letter} (U+${code})`;
}

/** The end of a message about one of several letters. */
export function others(count: number): string {
  return count > 0 ? `, and ${count} other letter${count > 1 ? 's' : ''}` : '';
}

/**
 * Joins marks with their letters, as far as Unicode has a letter for both. At most 32 marks of a letter: the time grows
 * with the square of their number.
 */
export function composed(text: string): string {
  return text.replaceAll(/\P{M}\p{M}{1,32}/gu, (cluster) => cluster.normalize('NFC'));
}
