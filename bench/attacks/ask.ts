import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { RequestSpec } from '../load/load-spec.js';
import { note, type Running } from './attack.js';

export interface Question extends RequestSpec {
  /** Source address of the connection. */
  readonly from?: string;
}

export interface Answer {
  readonly status: number;
  /** Values of `Set-Cookie`. */
  readonly cookies: readonly string[];
}

/** Requests without an answer end after this time. */
export const DEADLINE_MS = 10_000;

const agent = new Agent({ keepAlive: true });

/** Sends one request on a keep-alive connection. @throws Error without a whole answer in time */
export function ask(url: string, { method, path, headers, body, freshKey, from }: Question): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const key = freshKey ? { 'idempotency-key': randomUUID() } : {};
    const options = { method, agent, localAddress: from, headers: { ...headers, ...length, ...key } };
    const sent = request(new URL(path, url), options, (answer) => {
      answer.resume();
      answer.once('error', reject);
      answer.once('end', () =>
        resolve({ status: answer.statusCode!, cookies: answer.headers['set-cookie'] ?? [] }),
      );
    });
    const impatience = setTimeout(() => sent.destroy(new Error('timeout')), DEADLINE_MS);
    sent.once('close', () => clearTimeout(impatience));
    sent.once('error', reject);
    sent.end(body);
  });
}

/** The status as text, or `timeout` or `error`. */
export async function outcomeOf(asked: Promise<Answer>): Promise<string> {
  return asked.then(
    ({ status }) => String(status),
    (error: Error) => (error.message === 'timeout' ? 'timeout' : 'error'),
  );
}

/** Asks in closed loops, each waiting for its answer; pauses after an outcome that is not `expected`. */
export async function askInLoops(
  { url, until, counts }: Running,
  loops: number,
  { expected, pauseMs, next }: { expected: string; pauseMs: number; next: (n: number) => Question },
): Promise<void> {
  let sent = 0;
  const loop = async () => {
    while (performance.now() < until) {
      const outcome = await outcomeOf(ask(url, next(sent++)));
      note(counts, outcome);
      if (outcome !== expected) await pause(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: loops }, loop));
}
