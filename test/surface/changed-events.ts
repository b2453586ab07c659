import type { JobScene } from '../kit/job-scene.js';
import { publishEvidence, taken } from '../kit/proofs.js';
import type { TestService } from '../kit/service.js';
import type { FileFolder } from '../kit/verifiers.js';

/** An event as audits and verifiers name it. */
export interface NamedEvent {
  readonly stream: string;
  readonly revision: number;
}

/** What an auditor knows of a service before its events change. */
export class KnownHistory {
  private constructor(
    readonly scene: JobScene,
    readonly vkey: string,
    /** Streams of printed jobs. */
    readonly printed: readonly string[],
    /** Stream of a job with two events. */
    readonly waiting: string,
    private readonly folder: FileFolder,
  ) {}

  /** Prints so many jobs, leaves another one waiting, and publishes a checkpoint of all events. */
  static async of(scene: JobScene, jobs: number, folder: FileFolder): Promise<KnownHistory> {
    const printed: string[] = [];
    for (let n = 0; n < jobs; n++) printed.push(`job-${(await scene.at('completed')).job_id}`);
    const waiting = `job-${await scene.create()}`;
    await publishEvidence(scene.service);
    const vkey = (await taken(scene.service, scene.key, '/log/vkey')).trim();
    return new KnownHistory(scene, vkey, printed, waiting, folder);
  }

  /** Expects the audit to name these events and no others, and the proof of the account to fail with their names. */
  async expectNamed(service: TestService, ...events: readonly NamedEvent[]): Promise<void> {
    await this.expectAudited(service, ...events);
    await this.expectFails(service, '/account', ...events);
  }

  /** Expects that the log can be published again, and that audit and proof find nothing. */
  async expectWhole(service: TestService): Promise<void> {
    expect(await publishEvidence(service)).toMatchObject({ halted: null, events_behind: 0 });
    await this.expectAudited(service);
    const file = await taken(service, this.scene.key, '/account');
    for (const findings of this.folder.findings(file, this.vkey)) expect(findings).toEqual([]);
  }

  /** Expects the audit to name these events and no others, in the order of the log. */
  async expectAudited(service: TestService, ...events: readonly NamedEvent[]): Promise<void> {
    const { items, total } = await service.operate('POST', '/evidence/audit');
    const named = (items as NamedEvent[]).map(({ stream, revision }) => ({ stream, revision }));
    expect({ named, total }).toEqual({ named: events, total: events.length });
  }

  /** Expects both verifiers to name these events in a fresh proof. */
  async expectFails(service: TestService, path: string, ...events: readonly NamedEvent[]): Promise<void> {
    const file = await taken(service, this.scene.key, path);
    for (const findings of this.folder.findings(file, this.vkey))
      for (const { stream, revision } of events)
        expect(findings.join('\n')).toMatch(new RegExp(`stream ${stream} revision ${revision}\\b`));
  }
}

/** The proof of the job of a stream. */
export const proofOf = (stream: string) => `/jobs/${stream.slice('job-'.length)}`;
