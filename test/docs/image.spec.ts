import { pathToFileURL } from 'node:url';
import { documentText } from './markdown.js';

interface Build {
  readonly sources: readonly string[];
  readonly pages: readonly string[];
}

/** Sources of the `COPY` lines before the second stage; the last word is the target. */
function copied(dockerfile: string): readonly string[] {
  const [firstStage] = dockerfile.split(/^FROM .*$(?![\s\S]*^FROM)/m);
  return [...firstStage!.matchAll(/^COPY (?!--)(.+)$/gm)].flatMap(([, words]) =>
    words!.split(' ').slice(0, -1),
  );
}

describe('the image', () => {
  const within = (folders: readonly string[], path: string) =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

  it('is built from all inputs of the build', async () => {
    const { sources, pages } = (await import(pathToFileURL('bin/build.mjs').href)) as Build;
    const inImage = copied(documentText('Dockerfile'));
    const sent = [...documentText('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path!);
    const wanted = [...sources, ...pages];
    expect(wanted.filter((path) => !within(inImage, path))).toEqual([]);
    expect(wanted.filter((path) => !within(sent, path))).toEqual([]);
  });
});
