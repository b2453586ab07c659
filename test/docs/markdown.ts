import { readFileSync } from 'node:fs';

/** The text of a document of this repository. */
export function documentText(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
}

/** Body rows of all tables below the heading, cell by cell, without the marks for code. */
export function rowsBelow(markdown: string, heading: string): string[][] {
  const section = markdown.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .filter((_, index, rows) => index > 0 && rows.length > 1)
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.replaceAll('`', '').trim()),
    );
}

/** Headings of the second level. */
export function headings(markdown: string): string[] {
  return [...markdown.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
}
