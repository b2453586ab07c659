import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { runAgent } from '../../../agent/agent.js';
import { VirtualPrinter } from '../../../agent/printers/virtual/virtual-printer.js';
import { Simulation } from '../../../agent/simulation.js';
import { StateFolder } from '../../../agent/state/state-folder.js';
import { FakeService } from '../../kit/fake-service.js';

describe('the trial of an installation', () => {
  let service: FakeService;
  let folder: string;
  beforeEach(async () => {
    service = await FakeService.start();
    folder = await mkdtemp(join(tmpdir(), 'agent-connect-'));
  });
  afterEach(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const run = async (connectOnly: boolean) => {
    const state = await StateFolder.open(join(folder, 'state'));
    const simulation = await Simulation.open({ delayMs: 600_000 }, state);
    const facts = {
      ...{ installation_id: await state.installationId(), agent_version: '1', installer_version: '2' },
      ...{ operating_system: 'Linux', hostname: 'desk' },
    };
    const credential = {
      ...{ computer_id: 'c1', friendly_code: 'PC-00000001' },
      device_credential: service.credentials.secrets[0]!,
    };
    const options = {
      ...{
        url: service.url,
        proxy: { httpProxy: '', httpsProxy: '', noProxy: '' },
        credential,
        facts,
        state,
      },
      providers: [await VirtualPrinter.open(join(folder, 'printed'), ['Virtual'], simulation)],
      ...{
        simulation,
        inventoryMs: 1_000,
        handOffMs: 60_000,
        once: false,
        connectOnly,
        log: pino({ level: 'silent' }),
      },
    };
    return runAgent(options, new AbortController().signal);
  };

  it('ends with session and inventory while an earlier document waits at the printer', async () => {
    const job = service.jobs.add({ printerKey: 'virtual:folder' });
    const before = run(false);
    await service.until(() => job.phase === 'handed_off', 'a document at the printer');
    // Ends at once: an agent that is asked to stop, or replaced, would wait for the document.
    const known = service.credentials.secrets.splice(0);
    await before;
    service.credentials.secrets.push(...known);
    const queued = service.jobs.add({ printerKey: 'virtual:folder' });
    const polls = service.count('leases');

    expect(await run(true)).toBeUndefined();
    expect(service.calls.findLast(({ call }) => call === 'sessions')?.body).toMatchObject({
      installer_version: '2',
      journal: [{ job_id: job.jobId, phase: 'handed_off' }],
    });
    expect(service.inventory).toHaveLength(1);
    expect([job.phase, queued.phase, service.count('leases')]).toEqual(['handed_off', 'queued', polls]);
  });
});
