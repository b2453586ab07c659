import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { serviceForAll } from '../kit/service.js';

interface Generator {
  typesOf(url: string): Promise<Record<string, string>>;
}

/** Those of operator and panel are for its pages. */
const FILES = ['integration.ts', 'operator.ts', 'panel.ts', 'partner.ts', 'webhooks.ts'];

describe('the generated types of the SDK', () => {
  const service = serviceForAll();
  let files: Record<string, string>;
  beforeAll(async () => {
    const generator: unknown = await import(pathToFileURL('bin/types.mjs').href);
    files = await (generator as Generator).typesOf(service.url);
  });

  it.each(FILES)('are those of the documents: otherwise run `npm run types` (%s)', (name) => {
    expect(readFileSync(`sdk/src/generated/${name}`, 'utf8')).toBe(files[name]);
  });

  it('are in no other files', () => {
    expect(Object.keys(files).sort()).toEqual(FILES);
  });
});
