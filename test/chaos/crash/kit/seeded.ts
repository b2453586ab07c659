import { anySeed } from '../../../kit/length.js';
import { SeedFolder } from './world.js';

const MINUTE = 60_000;

/** Runs with a seed, which is printed with the results and named in errors. */
export async function seeded<T>(name: string, run: (seed: number) => Promise<T>): Promise<T> {
  const seed = anySeed();
  const found = await run(seed).catch((error: unknown) => {
    throw new Error(`${name}, SEED=${seed}`, { cause: error });
  });
  process.stdout.write(`${name}, SEED=${seed}: ${JSON.stringify(found)}\n`);
  return found;
}

/** A folder for the tests of one `describe`, removed after them. */
export function seedFolder(): { readonly current: SeedFolder } {
  let folder: SeedFolder;
  beforeAll(async () => {
    folder = await SeedFolder.make();
  }, MINUTE);
  afterAll(() => folder?.remove());
  return {
    get current() {
      return folder;
    },
  };
}
