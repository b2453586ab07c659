import { anySeed } from '../../../kit/length.js';
import { SeedFolder, type World } from './world.js';

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

/** A new copy of the prepared folder for each test of one `describe`; `start`: with a running service. */
export function worldOnSeed({ start }: { readonly start: boolean }): { readonly world: World } {
  const folder = seedFolder();
  let world: World;
  beforeEach(async () => {
    world = await folder.current.grow();
    if (start) await world.start();
  }, MINUTE);
  afterEach(() => world.remove());
  return {
    get world() {
      return world;
    },
  };
}
