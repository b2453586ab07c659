import type { FastifyRequest } from 'fastify';
import { pino } from 'pino';
import type { OperationSpec } from './operation.js';
import { requestLog } from './request-log.js';

const operation = { id: 'getPrintJob', route: 'GET /v1/x' } as unknown as OperationSpec;
const routine = { ...operation, id: 'heartbeat', isRoutine: true };

function levelOf(asked: OperationSpec, statusCode: number): string | undefined {
  const lines: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const request = { operation: asked, method: 'GET', raw: { url: '/v1/x' } } as unknown as FastifyRequest;
  requestLog(logger, undefined)(request, { statusCode });
  const { level } = JSON.parse(lines[0]!) as { level: number };
  return pino.levels.labels[level];
}

describe('logging a request', () => {
  it.each([204, 304])('logs an idle poll at debug: %i', (status) => {
    expect(levelOf(operation, status)).toBe('debug');
  });

  it('logs a heartbeat at debug, and a refused one at info', () => {
    expect([levelOf(routine, 200), levelOf(routine, 401)]).toEqual(['debug', 'info']);
  });

  it('logs an answer at info, and a failure at error', () => {
    expect([levelOf(operation, 200), levelOf(operation, 503), levelOf(routine, 503)]).toEqual([
      'info',
      'error',
      'error',
    ]);
  });
});
