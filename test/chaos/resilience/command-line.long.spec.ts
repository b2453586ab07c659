import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentProcess } from '../../kit/agent-process.js';
import { ServiceProcess } from '../../kit/service-process.js';
import { WebhookReceiver } from '../../kit/webhook-receiver.js';
import { documentText } from '../../docs/markdown.js';

/** Forty programs start one after the other. */
const FIVE_MINUTES = 300_000;
const RECEIVER = 'https://hooks.example.com/printing';

/** The commands of the page, a text for each block. */
const blocks = [...documentText('docs/command-line.md').matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, commands = '']) => commands,
);

describe('the page about the command line', () => {
  let home: string;
  let service: ServiceProcess;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'rps-home-'));
    receiver = await WebhookReceiver.start();
    service = await ServiceProcess.prepare();
    await service.start({ WEBHOOK_ALLOW_INSECURE_TARGETS: 'true' });
  });
  afterAll(async () => {
    await service.remove();
    await receiver.close();
    await rm(home, { recursive: true, force: true });
  });

  /** As a person would, in one shell. */
  async function inShell(commands: string) {
    const { PATH = '' } = process.env;
    const env = {
      PATH: `${home}/.local/bin:${PATH}`,
      HOME: home,
      DATA_DIR: service.dataDir,
      RPS_URL: service.url,
    };
    const files = commands.replaceAll(/(hello\.txt|jobs\.csv|till\.key)/g, `${home}/$1`);
    const shell = spawn('bash', ['-c', `set -e\n${files}`], { env });
    let [stdout, stderr] = ['', ''];
    shell.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    shell.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(shell, 'close')) as [number | null];
    return { code, stdout, stderr };
  }

  it(
    'has only commands that run as they are written',
    async () => {
      const installed = await inShell(`${blocks[0]}${blocks[1]}`);
      expect(installed).toMatchObject({ code: 0, stderr: '' });
      expect(await readFile(join(home, 'till.key'), 'utf8')).toMatch(/^svc_live_\S+\n$/);

      const token = await inShell('rps enrollment create --account corner-shop --field enrollment_token');
      const agent = await AgentProcess.prepare(service.url, token.stdout.trim());
      agent.start();
      const isThere =
        'until rps printer list --field items.0.printer_id --account corner-shop; do sleep 0.2; done';
      expect((await inShell(isThere)).code).toBe(0);

      const rest = blocks.slice(2).join('').replaceAll(RECEIVER, `http://127.0.0.1:${receiver.port}/ok`);
      const ran = await inShell(`export RPS_ACCOUNT=corner-shop\n${rest}`);
      await agent.remove();
      expect({ ...ran, stdout: '' }).toEqual({
        code: 0,
        stdout: '',
        stderr: expect.stringMatching(/^watched for 3 s; --for SECONDS watches longer\n$/),
      });
      expect(ran.stdout).toContain('"status": "cancelled"');
      expect(receiver.requests.map(({ headers }) => headers['x-svc-event'])).toContain('webhook.test');
      expect(await readFile(join(home, 'jobs.csv'), 'utf8')).toMatch(/^job_id,status,/);
      expect(await readFile(join(home, '.config/fish/completions/rps.fish'), 'utf8')).toContain('__complete');
    },
    FIVE_MINUTES,
  );
});
