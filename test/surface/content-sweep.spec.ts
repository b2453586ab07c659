import { ContentSweep, JOB, JobLists, type JobAggregate } from '../../src/contexts/jobs/index.js';
import { AggregateStore } from '../../src/event-sourcing/write/aggregate-store.js';
import { SystemRandomness } from '../../src/app/system/system-randomness.js';
import type { EventStore } from '../../src/event-sourcing/ports/event-store.port.js';
import { Faults } from '../kit/faults.js';
import { ManualClock } from '../kit/manual-clock.js';
import { serviceForAll } from '../kit/service.js';
import { createJob, openAccount, TestAgent } from '../kit/world.js';
import { CorruptEventError } from '../../src/kernel/errors.js';

/** A job id from long ago, and one from the manual clock's future. */
const OLD = '018f0000-0000-7000-8000-000000000001';
const YOUNG = '09ff0000-0000-7000-8000-000000000001';

describe('sweeping unneeded content', () => {
  // Job ids follow the system clock.
  const service = serviceForAll({ clock: new ManualClock(new Date().toISOString()) });

  const sweep = (aggregates?: AggregateStore, errors?: unknown[]) => {
    const { stores, clock } = service;
    const { app } = service.service;
    const swept = {
      contents: stores.contents,
      lists: app.get(JobLists, { strict: false }),
      job: app.get<JobAggregate>(JOB, { strict: false }),
      aggregates: aggregates ?? app.get<AggregateStore>(AggregateStore, { strict: false }),
    };
    const failed = (error: unknown) => {
      if (!errors) throw error;
      errors.push(error);
    };
    return new ContentSweep(swept, clock, failed).sweep();
  };

  it('deletes content of a failed create, but not content of a create in progress', async () => {
    await service.stores.contents.put(OLD, Buffer.from('orphan'));
    await service.stores.contents.put(YOUNG, Buffer.from('on its way'));
    expect(await sweep()).toBe(1);
    expect(await service.stores.contents.has(OLD)).toBe(false);
    expect(await service.stores.contents.has(YOUNG)).toBe(true);
  });

  it('keeps content whose job cannot be read, and deletes the rest', async () => {
    const { contents } = service.stores;
    const damaged = OLD.replace(/1$/, '0');
    for (const id of [damaged, OLD]) await contents.put(id, Buffer.from('orphan'));
    const events = new Faults<EventStore>(service.stores.events);
    events.refuse('load', 1, new CorruptEventError(`job-${damaged}`, 0, '1'));
    const errors: unknown[] = [];
    expect(await sweep(new AggregateStore(events.port, new SystemRandomness()), errors)).toBe(1);
    expect(await contents.has(damaged)).toBe(true);
    expect(errors).toEqual([expect.any(CorruptEventError)]);
    await contents.delete(damaged);
  });

  it('keeps the content of a printable job of any age and deletes it after the purge', async () => {
    const { accountId, key } = await openAccount(service);
    const { agent, printerId } = await TestAgent.ready(service, accountId);
    const created = await createJob(service, key, printerId);
    const jobId = String(created.body.data!.job_id);
    await service.advance(2 * 3_600_000);
    expect(await sweep()).toBe(0);
    expect(await service.stores.contents.has(jobId)).toBe(true);

    await agent.start();
    await agent.print();
    await service.advance(service.config.contentRetentionMs);
    expect(await service.stores.contents.has(jobId)).toBe(false);
    await service.stores.contents.put(jobId, Buffer.from('left by a crash after the purge was recorded'));
    expect(await sweep()).toBe(1);
  });
});
