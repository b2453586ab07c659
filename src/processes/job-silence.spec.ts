import * as the from '../../test/kit/examples/jobs.js';
import { reactionsTo } from '../../test/kit/process.js';
import { recordedAt } from '../../test/kit/recorded.js';
import { AgentGone, HandoffSilence, SpoolSilence } from '../contexts/jobs/index.js';
import type { JobEvent } from '../contexts/jobs/domain/job.events.js';
import { schedule, unschedule, type Process, type Timer } from '../kernel/process.js';
import { acceptGrace, handOffWatch, spoolWatch } from './job-silence.process.js';

const { JOB_ID, seconds } = the;
const leaseId = the.leaseIdOf(1);
const payload = { leaseId };
const timer = { subject: JOB_ID, payload } as unknown as Timer;
const { by } = the.cancel();
const after = (process: Process<JobEvent>, event: JobEvent) =>
  reactionsTo(process, recordedAt(seconds(0), the.JOB_STREAM, 3, event));

describe('waiting for the hand-off', () => {
  it('is extended by lease renewals, up to a limit', () => {
    const keptAlive = { by: `lease:${leaseId}`, forMs: 120_000, atMost: seconds(1800) };
    expect(after(acceptGrace, the.accepted())).toEqual([schedule(JOB_ID, seconds(120), payload, keptAlive)]);
  });

  it('ends with the hand-off, a failure or the lease', () => {
    for (const event of [the.handedOff(), the.failedForGood(), the.invalidated('expired')]) {
      expect(after(acceptGrace, event)).toEqual([unschedule(JOB_ID)]);
    }
  });

  it('gives up on the agent when due', () => {
    expect(acceptGrace.command(timer, seconds(120), by)).toEqual(
      new AgentGone({ jobId: JOB_ID, leaseId, at: seconds(120), by }),
    );
  });
});

describe('waiting for the spooler to accept the document', () => {
  it('starts with the hand-off and is not extended by heartbeats', () => {
    expect(after(handOffWatch, the.handedOff())).toEqual([
      schedule(JOB_ID, seconds(600), payload, { forMs: 600_000 }),
    ]);
  });

  it('ends with any report', () => {
    for (const event of [the.spooled(), the.failedForGood(), the.parked()]) {
      expect(after(handOffWatch, event)).toEqual([unschedule(JOB_ID)]);
    }
  });

  it('reports the silence when due', () => {
    expect(handOffWatch.command(timer, seconds(600), by)).toEqual(
      new HandoffSilence({ jobId: JOB_ID, leaseId, at: seconds(600), by }),
    );
  });
});

describe('waiting for the spooler to finish', () => {
  it('starts when the spooler has the document', () => {
    expect(after(spoolWatch, the.spooled())).toEqual([
      schedule(JOB_ID, seconds(1800), payload, { forMs: 1_800_000 }),
    ]);
  });

  it('ends with any result', () => {
    for (const event of [the.completed(), the.failedForGood(), the.parked()]) {
      expect(after(spoolWatch, event)).toEqual([unschedule(JOB_ID)]);
    }
  });

  it('reports the silence when due', () => {
    expect(spoolWatch.command(timer, seconds(1800), by)).toEqual(
      new SpoolSilence({ jobId: JOB_ID, leaseId, at: seconds(1800), by }),
    );
  });
});
