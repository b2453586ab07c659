/**
 * The sides of the sheets in the order of printing; undefined is an empty back, so that each copy begins on a sheet of
 * its own.
 * @param sides of a sheet: 1 or 2
 */
export function* printingOrder<Page>(
  pages: readonly Page[],
  copies: number,
  isCollated: boolean,
  sides: 1 | 2,
): Iterable<Page | undefined> {
  const sheets: (Page | undefined)[][] = [];
  for (let at = 0; at < pages.length; at += sides) sheets.push(pages.slice(at, at + sides));
  const repeated = isCollated
    ? Array.from({ length: copies }, () => sheets).flat()
    : sheets.flatMap((sheet) => Array<(Page | undefined)[]>(copies).fill(sheet));
  for (const [index, sheet] of repeated.entries()) {
    yield* sheet;
    if (sheet.length < sides && index < repeated.length - 1) yield undefined;
  }
}
