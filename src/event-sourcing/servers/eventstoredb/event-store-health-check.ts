import { BACKWARDS, END, jsonEvent, NO_STREAM, type Credentials } from '@eventstore/db-client';
import {
  type Finding,
  clockFinding,
  fail,
  runCheck,
  ok,
  versionFinding,
  warn,
  took,
} from '../../ports/findings.js';
import { type Clock, epochMs, type Milliseconds } from '../../../kernel/time.js';
import type { Randomness } from '../../../kernel/ids.js';
import { withTimeout } from '../../../async/deadline.js';
import { openClient, type Client } from './client.js';
import { collected } from './log-reader.js';
import { parseConnectionString } from './connection-string.js';

export interface ServerHealthCheckOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/** From 23.10 subscriptions report that they have caught up; 26.0 is the newest version tested. */
const KNOWN = { atLeast: [23, 10], below: [26, 1] } as const;
const SCRATCH_TYPE = '$rps-doctor';
const TIMEOUT_MS: Milliseconds = 5_000;

/** Writes and deletes a scratch stream. Returns whether the server answers. */
export async function* eventStoreHealthCheck(
  options: ServerHealthCheckOptions,
): AsyncGenerator<Finding, boolean> {
  const judged = await runCheck('EVENTSTORE_URL', () => {
    const { warnings } = parseConnectionString(options.url);
    return warnings.length > 0 ? warn(warnings.join('; ')) : ok('TLS and user fit together');
  });
  yield judged;
  if (judged.verdict === 'fail') return false;
  const target = new CheckTarget(options);
  try {
    const connected = await runCheck('event store: leader answers', () => target.newest());
    yield connected;
    if (connected.verdict === 'fail') return false;
    yield await runCheck('event store: version', () => target.version());
    yield await runCheck('event store: write and read back', () => target.writeAndReadBack());
    yield await runCheck('event store: clock', () => target.clock());
    yield await runCheck('event store: scratch stream deleted', () => target.cleanUp());
    return true;
  } finally {
    await target.leave();
  }
}

class CheckTarget {
  private readonly credentials: Credentials;
  private readonly stream: string;
  private seen: { created: number; before: number; after: number } | undefined;

  private readonly own: Client;

  constructor(private readonly options: ServerHealthCheckOptions) {
    const { client, credentials } = parseConnectionString(options.url);
    this.own = openClient(client, 'doctor');
    this.credentials = credentials;
    this.stream = `rpsDoctor-${options.randomness.uuid()}`;
  }

  async newest() {
    const { credentials } = this;
    const started = performance.now();
    const last = {
      direction: BACKWARDS,
      fromPosition: END,
      maxCount: 1,
      requiresLeader: true,
      credentials,
    } as const;
    await collected(this.own.calls.readAll(last), TIMEOUT_MS, 'reading the log');
    return ok(`in ${took(started)}`);
  }

  async version() {
    const { serverVersion } = await this.answer('asking for the version', this.own.calls['capabilities']);
    return versionFinding(serverVersion, KNOWN);
  }

  async writeAndReadBack() {
    const { clock, randomness } = this.options;
    const { credentials, stream } = this;
    const event = jsonEvent({ id: randomness.uuid(), type: SCRATCH_TYPE, data: { said: randomness.uuid() } });
    const how = {
      expectedRevision: NO_STREAM,
      credentials,
      requiresLeader: true,
      deadline: TIMEOUT_MS,
    } as const;
    const started = performance.now();
    const before = epochMs(clock.now());
    const { position } = await this.answer('appending', this.own.calls.appendToStream(stream, [event], how));
    const after = epochMs(clock.now());
    const written = took(started);
    const read = performance.now();
    const source = this.own.calls.readStream<typeof event>(stream, {
      maxCount: 1,
      requiresLeader: true,
      credentials,
    });
    const [back] = await collected(source, TIMEOUT_MS, 'reading the stream');
    if (back?.event?.id !== event.id || back.event.data.said !== event.data.said) {
      return fail('what was written was not read');
    }
    this.seen = { created: back.event.created.getTime(), before, after };
    const found = `written in ${written}, read in ${took(read)}`;
    return position ? ok(found) : warn(`${found}; it does not tell where it wrote`);
  }

  clock() {
    if (!this.seen) return fail('nothing was written to see its time');
    return clockFinding(this.seen.created, this.seen.before, this.seen.after);
  }

  async cleanUp() {
    if (!this.seen) return ok('there was none');
    const how = { credentials: this.credentials, deadline: TIMEOUT_MS } as const;
    await this.answer('deleting', this.own.calls.deleteStream(this.stream, how));
    return ok(`${this.stream}; a scavenge takes its one event away`);
  }

  leave(): Promise<void> {
    return this.own.close();
  }

  private answer<T>(what: string, call: Promise<T>): Promise<T> {
    return withTimeout(TIMEOUT_MS, what, () => call);
  }
}
