import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** At level debug, so that a successful start logs nothing. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]) {
    this.logger.debug({ context: rest.at(-1) }, String(message));
  }

  debug(message: unknown, ...rest: unknown[]) {
    this.log(message, ...rest);
  }

  verbose(message: unknown, ...rest: unknown[]) {
    this.log(message, ...rest);
  }

  warn(message: unknown, ...rest: unknown[]) {
    this.logger.warn({ context: rest.at(-1) }, String(message));
  }

  error(message: unknown, ...rest: unknown[]) {
    this.logger.error(
      { context: rest.at(-1), ...(message instanceof Error && { err: message }) },
      String(message),
    );
  }

  fatal(message: unknown, ...rest: unknown[]) {
    this.error(message, ...rest);
  }
}

/** Hooks read the bodies; the exit code reports a failed start. */
export const nestOptions = (logger: Logger) => ({
  bodyParser: false,
  abortOnError: false,
  logger: new NestLogger(logger),
});
