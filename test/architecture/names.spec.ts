import { readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './cruising.js';

/** Names that do not describe their content. */
const EMPTY = /^(utils?|commons?|helpers?|base|core|libs?|misc|types|constants)$/;
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const sources = ['src', 'projections', 'agent', 'panel', 'test', 'bench', 'demo']
  .flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true }).map((entry) => `${folder}/${String(entry)}`),
  )
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('test/architecture/planted/'));

/** Splits `src/contexts/jobs/domain/job.decider.ts` into src, contexts, jobs, domain, job, decider. */
const wordsOf = (file: string) => file.replace(/\.tsx?$/, '').split(/[/.]/);

describe('naming files and folders', () => {
  it('covers all source folders', () => {
    expect(sources.length).toBeGreaterThan(50);
  });

  it('uses no meaningless names', () => {
    expect(sources.filter((file) => wordsOf(file).some((word) => EMPTY.test(word)))).toEqual([]);
  });

  it('writes names in kebab-case, the role after a dot', () => {
    expect(sources.filter((file) => !wordsOf(file).every((word) => KEBAB.test(word)))).toEqual([]);
  });

  it('allows index.ts only as the door of a context and of the engine', () => {
    const barrels = sources.filter((file) => path.basename(file) === 'index.ts');
    expect(
      barrels.filter((file) => !/^src\/(contexts\/[^/]+|event-sourcing)\/index\.ts$/.test(file)),
    ).toEqual([]);
  });
});
