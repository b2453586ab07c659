import { SeedFolder } from './world.js';

const MINUTE = 60_000;

/** Runs with `CRASH_SEED`, or with one of chance; what it found, and what it failed by, is told together with it. */
export async function seeded<T>(name: string, run: (seed: number) => Promise<T>): Promise<T> {
  const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 1e9));
  const found = await run(seed).catch((error: unknown) => {
    throw new Error(`${name}, CRASH_SEED=${seed}`, { cause: error });
  });
  process.stdout.write(`${name}, CRASH_SEED=${seed}: ${JSON.stringify(found)}\n`);
  return found;
}

/** A folder for the tests of one `describe`, made before and removed after them. */
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
