import { LoadGenerator } from '../load/load.js';
import { ServiceProcess, type ServiceOptions } from '../programs/service.js';

/** A service on `dataDir` and a load generator for as long as `work` takes. */
export async function withService<T>(
  dataDir: string,
  work: (service: ServiceProcess, generator: LoadGenerator) => Promise<T>,
  options: ServiceOptions = {},
): Promise<T> {
  const service = await ServiceProcess.start(dataDir, options);
  const generator = new LoadGenerator();
  try {
    return await work(service, generator);
  } finally {
    generator.stop();
    await service.stop();
  }
}
