/** Indexes of the pages that ranges such as `1-3,7,10-` name, in the order of the document. */
export function chosenPages(pages: string | undefined, count: number): number[] {
  const ranges = (pages ?? '1-').split(',').map((range) => {
    const [first = '', last = first] = range.trim().split('-');
    return [Number(first), last === '' ? Infinity : Number(last)] as const;
  });
  const isChosen = (page: number): boolean => ranges.some(([first, last]) => page >= first && page <= last);
  return Array.from({ length: count }, (_, index) => index).filter((index) => isChosen(index + 1));
}
