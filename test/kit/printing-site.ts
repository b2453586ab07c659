import { setTimeout as pause } from 'node:timers/promises';
import { AgentProcess } from './agent-process.js';
import { TestPartner, walk } from './partner.js';
import { ServiceProcess } from './service-process.js';
import { soon, within } from './polling.js';

export interface SiteJob {
  readonly jobId: string;
  /** Stored status; the partner's four statuses are too coarse for assertions. */
  readonly status: string;
  readonly updatedAt: string;
}

/** Graces short enough for tests, long enough for printing on a busy machine. */
const SHORT = {
  LEASE_SECONDS: '3',
  ACCEPT_GRACE_SECONDS: '3',
  HANDOFF_GRACE_SECONDS: '5',
  SPOOL_WATCH_SECONDS: '8',
  JOB_RETRY_DELAYS_SECONDS: '0.3',
};

const PAUSE_MS = 250;

interface SiteOptions {
  /** Variables of the service, on top of the short graces. */
  readonly env?: Record<string, string>;
  /** Options of Node and of the agent. */
  readonly nodeOptions?: readonly string[];
  readonly agentOptions?: readonly string[];
  /** Resolves to the URL that the agent uses instead of the service's own. */
  readonly through?: (serviceUrl: string) => Promise<string>;
}

/** The built service with one account, and a built agent with a virtual printer. */
export class PrintingSite {
  private readonly printerIds = new Map<string, string>();

  private constructor(
    private readonly service: ServiceProcess,
    private readonly partner: TestPartner,
    private readonly accountId: string,
    readonly agent: AgentProcess,
  ) {}

  /** Starts service and agent; resolves when its printer is online. */
  static async open({ env, nodeOptions, agentOptions, through }: SiteOptions = {}): Promise<PrintingSite> {
    const service = await ServiceProcess.prepare();
    await service.start({ ...SHORT, ...env });
    const partner = await TestPartner.open(service);
    const accountId = await partner.account();
    const enrolment = await partner.call('POST', `/accounts/${accountId}/enrollments`, { json: {} });
    const token = String(enrolment.body.data!.enrollment_token);
    const agent = await AgentProcess.prepare((await through?.(service.url)) ?? service.url, token);
    const site = new PrintingSite(service, partner, accountId, agent);
    agent.nodeOptions = nodeOptions ?? [];
    agent.start(...(agentOptions ?? []));
    await soon(() => site.findsPrinter());
    return site;
  }

  /** @param printer its name; default: the first one @param more fields of the create */
  async print(count: number, printer?: string, more?: object): Promise<void> {
    const printerId = this.idOf(printer);
    for (let n = 0; n < count; n++) {
      const { status, text } = await this.partner.print(this.accountId, printerId, more);
      if (status !== 201) throw new Error(`print: ${status} ${text}`);
    }
  }

  async jobs(): Promise<SiteJob[]> {
    const pages = await walk(this.partner, `/accounts/${this.accountId}/jobs?limit=100`);
    return pages.flat().map(({ job_id, raw_status, updated_at }) => ({
      jobId: String(job_id),
      status: String(raw_status),
      updatedAt: String(updated_at),
    }));
  }

  /** Number of jobs of a printer by their stored status, of its newest 100. */
  async statuses(printer: string): Promise<Record<string, number>> {
    const path = `/accounts/${this.accountId}/jobs?limit=100&printer_id=${this.idOf(printer)}`;
    const counts: Record<string, number> = {};
    for (const { raw_status } of await this.partner.list(path))
      counts[String(raw_status)] = (counts[String(raw_status)] ?? 0) + 1;
    return counts;
  }

  /** Polls until all jobs match, slowly enough to leave the processor to the programs. */
  async until(areSo: (jobs: SiteJob[]) => boolean, withinMs: number): Promise<void> {
    await within(withinMs, async () => {
      await pause(PAUSE_MS);
      return areSo(await this.jobs());
    });
  }

  /** Number of permits by fence. */
  async permits(jobId: string): Promise<number[]> {
    const { items } = await this.service.operate('GET', `/streams/job-${jobId}?limit=1000`);
    const counts: number[] = [];
    for (const { type, data } of items as { type: string; data: { fence: number } }[]) {
      if (type === 'HandoffStarted') counts[data.fence] = (counts[data.fence] ?? 0) + 1;
    }
    return counts;
  }

  async close(): Promise<void> {
    await this.agent.remove();
    await this.service.remove();
  }

  private async findsPrinter(): Promise<boolean> {
    const printers = await this.partner.list(`/accounts/${this.accountId}/printers?status=online`);
    for (const { system_name: name, printer_id } of printers)
      this.printerIds.set(String(name), String(printer_id));
    return printers.length > 0;
  }

  private idOf(printer?: string): string {
    const [first = ''] = this.printerIds.keys();
    return this.printerIds.get(printer ?? first) ?? '';
  }
}
