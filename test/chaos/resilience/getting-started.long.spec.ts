import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../../kit/service-process.js';
import { documentText } from '../../docs/markdown.js';

const ADDRESS = 'http://127.0.0.1:3000/v1';
const RECEIVER = 'https://hooks.example.com/printing';
const FIVE_MINUTES = 300_000;

const isInstalled = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const WITH_CURL = 'exit(extension_loaded("curl") ? 0 : 1);';
const LANGUAGES = [
  { starts: 'python3 -c', isThere: isInstalled('python3', '--version'), prints: 'Receipt 1043\n' },
  { starts: 'php -r', isThere: isInstalled('php', '-r', WITH_CURL), prints: 'Receipt 1044\n' },
];

/** The commands of the guide, a text for each block. */
const blocks = [...documentText('docs/getting-started.md').matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, commands = '']) => commands,
);

/** Runs commands as a person would, in one shell, and ends the programs that they leave behind. */
async function runInShell(commands: string, env: Record<string, string>) {
  const script = `set -e\ntrap 'kill $(jobs -p) 2> /dev/null' EXIT\n${commands}`;
  const shell = spawn('bash', ['-c', script], { env: { ...process.env, ...env } });
  let [stdout, stderr] = ['', ''];
  shell.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  shell.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(shell, 'exit')) as [number | null];
  return { code, stdout, stderr };
}

describe('getting started', () => {
  let folder: string;
  let service: ServiceProcess;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rps-getting-started-'));
    service = await ServiceProcess.prepare();
    await service.start({ WEBHOOK_ALLOW_INSECURE_TARGETS: 'true' });
  }, FIVE_MINUTES);
  afterAll(async () => {
    await service.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it('starts the service as every other test does', () => {
    expect(blocks[0]).toBe('npm ci\nnpm start\n');
  });

  it('comes to a printed page with six commands', () => {
    expect(`${blocks[0]}${blocks[1]}`.trimEnd().split('\n')).toHaveLength(6);
  });

  it(
    'prints a page with the commands as they are written',
    async () => {
      // Only addresses and folders differ, because tests run beside each other and without a network.
      const missing = LANGUAGES.filter(({ isThere }) => !isThere);
      const commands = blocks
        .slice(1)
        .filter((block) => !missing.some(({ starts }) => block.includes(starts)))
        .join('\n')
        .replaceAll(ADDRESS, service.url)
        .replace(RECEIVER, 'http://127.0.0.1:9/printing')
        .replaceAll(/\.\/(?!sdks)/g, `${folder}/`)
        .replace('agent.log', `${folder}/agent.log`);
      const { code, stdout, stderr } = await runInShell(commands, {
        DATA_DIR: service.dataDir,
        PORT: new URL(service.url).port,
      });
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
      const pages = (await readdir(join(folder, 'printed'))).filter((name) => name.endsWith('.txt'));
      const printed = await Promise.all(pages.map((name) => readFile(join(folder, 'printed', name), 'utf8')));
      const ofLanguages = LANGUAGES.flatMap(({ isThere, prints }) => (isThere ? [prints] : []));
      expect(printed.sort()).toEqual(['Hello from the cloud\n', 'Receipt 1042\n', ...ofLanguages]);
      expect(stdout).toContain('"secret":"whsec_live_');
      expect(await readFile(join(folder, 'agent.log'), 'utf8')).toContain('"msg":"ready"');
    },
    FIVE_MINUTES,
  );
});
