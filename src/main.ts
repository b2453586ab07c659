import type { NestFastifyApplication as App } from '@nestjs/platform-fastify';
import { optionsOf, shutdownSignal } from './app/tuning/before-loading.js';
import { limitConnections, WAITING_CONNECTIONS } from './app/tuning/file-limit.js';
import { loadProgram } from './app/tuning/program-file.js';

// Loading the rest takes most of a start: the signal may arrive before, and a low file limit would make it fail.
const stop = shutdownSignal();
const options = optionsOf(process.argv.slice(2));
const { AppModule, HttpAdapter, NestFactory, nestOptions, runService } = await loadProgram();

process.exitCode = await runService(stop, options, async (platform, ready) => {
  const { config, logger } = platform;
  const adapter = new HttpAdapter(config);
  const app = await NestFactory.create<App>(AppModule.over(platform), adapter, nestOptions(logger));
  try {
    limitConnections(app.getHttpServer());
    await app.listen({ port: config.port, host: config.host, backlog: WAITING_CONNECTIONS });
    await ready(app);
  } finally {
    await app.close();
  }
});
