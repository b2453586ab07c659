import 'reflect-metadata';

/** One module, so that the bundle can replace it in main.ts. */
export { NestFactory } from '@nestjs/core';
export { HttpAdapter } from '../http/http-adapter.js';
export { nestOptions } from '../http/nest-logger.js';
export { AppModule } from './app.module.js';
export { runService } from './start.js';
