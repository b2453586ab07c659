import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PRODUCT = /^(src|projections)\//;

/** Source files of the service whose functions run while `work` does, sorted; relative to the project. */
export async function enteredFiles(work: () => Promise<unknown>): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const entered = result.filter(({ functions }) => functions.some(({ ranges }) => ranges[0]!.count > 0));
    const files = entered.filter(({ url }) => url.startsWith('file:')).map(({ url }) => fileURLToPath(url));
    return files
      .map((file) => path.relative(ROOT, file))
      .filter((file) => PRODUCT.test(file))
      .sort();
  } finally {
    session.disconnect();
  }
}
