import 'reflect-metadata';

/** What main.ts uses: one module, so that the bundle can stand in for it. */
export { NestFactory } from '@nestjs/core';
export { HttpAdapter } from '../http/http-adapter.js';
export { nestOptions } from '../http/nest-logger.js';
export { AppModule } from './app.module.js';
export { runService } from './start.js';
