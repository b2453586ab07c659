import type { JobScene, Stage } from '../kit/job-scene.js';
import type { TestService } from '../kit/service.js';
import { createJob, onePrinter } from '../kit/world.js';

type Staging<T> = (scene: JobScene, service: TestService) => Promise<T>;

/** Stages one situation over HTTP; resolves to the job that is asked about. */
export interface Situation {
  readonly what: string;
  readonly stage: Staging<string>;
  /** Cause and actions of its explanation, in their order. */
  readonly told: readonly [cause: string, ...actions: string[]];
  readonly account?: object;
}

export type Row = readonly [what: string, stage: Staging<string>, told: Situation['told'], account?: object];

export const queued = (scene: JobScene) => scene.create();
export const at = (stage: Stage) => async (scene: JobScene) => (await scene.at(stage)).job_id;

/** Something happens after the stage. */
export const and =
  (change: Staging<unknown>, stage: Staging<string> = queued): Staging<string> =>
  async (scene, service) => {
    const jobId = await stage(scene, service);
    await change(scene, service);
    return jobId;
  };

export const after = (ms: number, stage: Staging<string>) => and((_, service) => service.advance(ms), stage);

export const reported =
  (stage: Stage, type: string, more: object = {}): Staging<string> =>
  async (scene) => {
    const lease = await scene.at(stage);
    await scene.agent.report(lease, type, more);
    return lease.job_id;
  };

export const cancelled: Staging<string> = async (scene) => {
  const jobId = await scene.create();
  await scene.cancel(jobId);
  return jobId;
};

export const behind =
  (count: number): Staging<string> =>
  async (scene, service) => {
    await scene.agent.heartbeat();
    const create = () => createJob(service, scene.key, scene.printerId);
    for (let n = 0; n < count; n += 20)
      await Promise.all(Array.from({ length: Math.min(20, count - n) }, create));
    return scene.create();
  };

/** The Agent reports why its printer cannot print. */
export const trouble =
  (reason: string): Staging<unknown> =>
  ({ agent }, { clock }) => {
    const figures = { free_bytes: 9e9, low_space: false, unsent_reports: 0, oldest_report_seconds: 0 };
    const stuck_printers = [{ printer_key: onePrinter.printer_key, reason, since: clock.now() }];
    const health = { ...figures, stuck_printers };
    return agent.call('POST', '/heartbeat', { json: { session_id: agent.sessionId, leases: [], health } });
  };
