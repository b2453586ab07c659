import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { JobScene } from '../kit/job-scene.js';
import { McpTools, type Printed } from '../kit/mcp-tools.js';
import { startTestService } from '../kit/service.js';

describe('rps mcp', () => {
  let scene: JobScene;
  let folder: string;
  let tools: McpTools;

  beforeAll(async () => {
    scene = await JobScene.open(await startTestService());
    folder = await mkdtemp(path.join(tmpdir(), 'rps-mcp-'));
    tools = await connect(['--folder', folder]);
  });
  afterAll(async () => {
    await tools.close();
    await scene.service.close();
    await rm(folder, { recursive: true });
  });

  /** Starts the program as a client of the protocol does. */
  const connect = (args: readonly string[]) =>
    McpTools.over(
      new StdioClientTransport({
        command: process.execPath,
        args: ['bin/rps.mjs', 'mcp', ...args],
        env: { RPS_API_KEY: scene.key, RPS_URL: scene.service.url },
      }),
    );
  const request = (more: object = {}) => ({ printer_id: scene.printerId, text: 'hello', ...more });

  it('prints once what was prepared, although every call comes three times', async () => {
    const args = request({ occasion: 'order 1211', title: 'Order 1211' });
    const prepared = [];
    for (let n = 0; n < 3; n++) prepared.push(await tools.answer('prepare_print', args));
    expect(new Set(prepared.map(({ confirm }) => confirm)).size).toBe(1);
    expect(prepared[0]).toMatchObject({ title: 'Order 1211', type: 'text', bytes: 5, copies: 1 });

    const printed = [];
    for (let n = 0; n < 3; n++)
      printed.push(await tools.answer<Printed>('print', { ...args, confirm: prepared[0]!.confirm }));
    expect(printed.map(({ printed_before }) => printed_before)).toEqual([false, true, true]);
    expect(new Set(printed.map(({ job }) => job.job_id)).size).toBe(1);
  });

  it('prints nothing without the token of the same request', async () => {
    const { confirm } = await tools.answer('prepare_print', request());
    expect(await tools.call('print', request({ text: 'other', confirm }))).toContain('call prepare_print');
    expect(await tools.call('print', request({ confirm: 'guessed' }))).toContain('call prepare_print');
  });

  it('prints files of its folder, and of no other', async () => {
    await writeFile(path.join(folder, 'note.txt'), 'from a file');
    await symlink('/etc/hostname', path.join(folder, 'link.txt'));
    const of = (file: string) => tools.call('prepare_print', { printer_id: scene.printerId, file });
    expect(await of('note.txt')).toMatchObject({ type: 'text', bytes: 11 });
    await writeFile(path.join(folder, 'picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]));
    expect(await of('picture.png')).toBe('picture.png is neither a PDF nor text in UTF-8');
    for (const file of ['link.txt', '../note.txt', '/etc/hostname', 'none.txt'])
      expect(await of(file)).toBe(`no file ${file} in the folder`);
  });

  it('names the code of a refusal', async () => {
    const job_id = '0199aaaa-0000-7000-8000-000000000000';
    expect(await tools.call('get_job', { job_id })).toMatch(/^SVC_JOB_NOT_FOUND \(404\): /);
  });

  it('offers nothing that changes something with --read-only', async () => {
    const reader = await connect(['--read-only']);
    const { tools: offered } = await reader.client.listTools();
    await reader.close();
    expect(offered.map(({ name }) => name).toSorted()).toEqual([
      ...['explain_job', 'get_job', 'list_changes', 'list_printers', 'wait_for_job'],
    ]);
    expect(offered.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  });
});
