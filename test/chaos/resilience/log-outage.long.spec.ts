import { closeSync, openSync } from 'node:fs';
import { NamedPipe, onFullDevice, SmallDisk } from '../../kit/log-targets.js';
import { ServiceProcess } from '../../kit/service-process.js';
import { soon } from '../../kit/polling.js';
import { createJob, openAccount, TestAgent } from '../../kit/world.js';

const PARALLEL = 25;
const METRICS = { METRICS_PUBLIC: 'true' };

describe('running the service with an unwritable log', () => {
  let service: ServiceProcess;
  beforeEach(async () => {
    service = await ServiceProcess.prepare();
  });
  afterEach(() => service.remove());

  const droppedLines = async () => {
    const text = await (await fetch(service.url.replace('/v1', '/metrics'))).text();
    return Number(/^rps_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
  };

  /** Sends `count` requests that are logged; resolves to their distinct statuses. */
  const request = async (count: number): Promise<number[]> => {
    const statuses = new Set<number>();
    for (let sent = 0; sent < count; sent += PARALLEL) {
      const answers = Array.from({ length: PARALLEL }, () => service.call('GET', '/nowhere'));
      for (const { status } of await Promise.all(answers)) statuses.add(status);
    }
    return [...statuses];
  };

  const endsWell = async () => {
    const asked = Date.now();
    const { code, signal } = await service.end('SIGTERM');
    expect([code, signal]).toEqual([0, null]);
    expect(Date.now() - asked).toBeLessThan(10_000);
  };

  it('answers 1,000 creates, counts the dropped lines and exits with 0 when the disk of the log is full', async () => {
    const disk = await SmallDisk.mount();
    const fd = disk ? disk.open() : openSync('/dev/full', 'w');
    try {
      await service.start(METRICS, { stderr: fd });
      const { accountId, key } = await openAccount(service);
      const { printerId } = await TestAgent.ready(service, accountId);
      for (let created = 0; created < 1_000; created += PARALLEL) {
        const answers = Array.from({ length: PARALLEL }, () => createJob(service, key, printerId));
        expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([201]));
      }
      const live = await fetch(service.url.replace('/v1', '/health/live'));
      expect(live.status).toBe(200);
      expect(await droppedLines()).toBeGreaterThan(0);
      await endsWell();
    } finally {
      closeSync(fd);
      await disk?.remove();
    }
  });

  it('logs whole lines again, and reports the dropped ones, once the disk has room', async () => {
    const disk = await SmallDisk.mount();
    if (!disk) return expect(process.getuid?.()).not.toBe(0); // Mounting requires root.
    const fd = disk.open();
    try {
      await disk.fill();
      await service.start(METRICS, { stderr: fd });
      await request(100);
      await soon(async () => (await droppedLines()) > 0);
      disk.makeRoom();
      await soon(() => disk.log().includes('log lines were dropped'));
      await endsWell();
      const broken = linesOf(disk.log()).filter((line) => !isJson(line));
      expect(broken.length).toBeLessThanOrEqual(1); // The line truncated by the full disk.
    } finally {
      closeSync(fd);
      await disk.remove();
    }
  });

  it('exits with 0 within ten seconds of SIGTERM while its full pipe is not read', async () => {
    const pipe = await NamedPipe.make();
    try {
      await pipe.written((stderr) => service.start(METRICS, { stderr }));
      expect(await request(500)).toEqual([404]);
      await endsWell();
    } finally {
      await pipe.remove();
    }
  });

  it('drops lines while the pipe is not read, and reports them afterwards', async () => {
    const pipe = await NamedPipe.make();
    try {
      await pipe.written((stderr) => service.start(METRICS, { stderr }));
      do await request(1_000);
      while ((await droppedLines()) === 0);
      let log = '';
      await soon(() => (log += pipe.read()).includes('log lines were dropped'));
      const whole = log.slice(0, log.lastIndexOf('\n')); // A read may end within the last line.
      expect(linesOf(whole).filter((line) => !isJson(line))).toEqual([]);
      expect(await request(100)).toEqual([404]);
      await endsWell();
    } finally {
      await pipe.remove();
    }
  });

  it('survives a closed pipe, and writes to the next reader', async () => {
    const pipe = await NamedPipe.make();
    try {
      await pipe.written((stderr) => service.start(METRICS, { stderr }));
      pipe.detach();
      expect(await request(100)).toEqual([404]);
      await soon(async () => (await droppedLines()) > 0);
      pipe.attach();
      let log = '';
      await soon(() => (log += pipe.read()).includes('log lines were dropped'));
      await endsWell();
    } finally {
      await pipe.remove();
    }
  });

  it.each(['unread', 'closed', '/dev/full'])(
    'starts, and exits with 0, on a stdout that is %s',
    async (kind) => {
      const pipe = await NamedPipe.make();
      const start = async (stdout: number) => {
        const started = service.begin({ LOG_LEVEL: 'debug' }, { stdout });
        await started.says('Nest application successfully started');
      };
      try {
        if (kind === '/dev/full') await onFullDevice(start);
        else if (kind === 'closed') await pipe.writtenWhenClosed(start);
        else await pipe.writtenWhenFull(start);
        await endsWell();
      } finally {
        await pipe.remove();
      }
    },
  );

  it.each(['/dev/full', 'closed pipe'])(
    'exits with 78 for a wrong configuration on a stderr of %s',
    async (kind) => {
      const pipe = await NamedPipe.make();
      const refused = (stderr: number) => service.another({ PORT: 'http' }, { stderr });
      try {
        const { code } =
          kind === '/dev/full' ? await onFullDevice(refused) : await pipe.writtenWhenClosed(refused);
        expect(code).toBe(78);
      } finally {
        await pipe.remove();
      }
    },
  );
});

const linesOf = (log: string) => log.split('\n').filter((line) => line !== '');

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
