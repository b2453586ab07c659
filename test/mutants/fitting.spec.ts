import { readFileSync } from 'node:fs';

interface Edit {
  readonly name?: string;
  readonly file: string;
  readonly find: string;
  readonly test?: string;
}

/** Plain modules, which the compiler does not know. */
const load = async (file: string) => (await import(new URL(file, import.meta.url).href)) as object;

describe('a fault of the tables', () => {
  it('replaces a text that its file has exactly once', async () => {
    const { mutants } = (await load('./all.mjs')) as { mutants: readonly Edit[] };
    const { OWN, FOUND } = (await load('../simulation/planted.mjs')) as {
      OWN: Record<string, readonly Edit[]>;
      FOUND: readonly { readonly fault: string }[];
    };
    const own = Object.entries(OWN).flatMap(([name, edits]) => edits.map((edit) => ({ ...edit, name })));
    const unfit = [...mutants, ...own].filter(
      ({ file, find }) => readFileSync(file, 'utf8').split(find).length !== 2,
    );
    expect(FOUND.filter(({ fault }) => !mutants.some(({ name }) => name === fault))).toEqual([]);
    expect(unfit.map(({ name, file }) => `${file}: ${name}`)).toEqual([]);
  });
});
