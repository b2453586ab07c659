import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clientSuite } from './client.contract.js';
import { isInstalled, ProgramDriver } from './driver.js';
import { ScriptedServer } from './scripted-server.js';

/** Compiles the driver with the SDK outside of the repository; nothing comes from NuGet. */
async function built(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rps-csharp-'));
  const { stdout: version } = await promisify(execFile)('dotnet', ['--version']);
  // The installed SDK has the reference assemblies of its own version only.
  const target = `-p:TestedFramework=net${version.split('.')[0]}.0`;
  const quiet = ['--nologo', '--verbosity', 'quiet', '-p:UseAppHost=false', `-p:ArtifactsPath=${folder}`];
  const project = 'test/chaos/clients/drivers/csharp/Driver.csproj';
  await promisify(execFile)('dotnet', ['build', project, target, ...quiet], {
    env: { ...process.env, DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1' },
  });
  return folder;
}

if (isInstalled('dotnet', ['--list-sdks'], '[')) {
  let folder: string;
  let driver: ProgramDriver;
  afterAll(() => rm(folder, { recursive: true, force: true }));
  clientSuite(
    '.NET',
    async () => {
      folder = await built();
      return (driver = await ProgramDriver.start('dotnet', [join(folder, 'bin/Driver/debug/Driver.dll')]));
    },
    () => {
      it('takes Timeout.InfiniteTimeSpan for no limit', async () => {
        const server = await ScriptedServer.start();
        server.play([{ body: { code: 'SVC_OK', data: { job_id: 'a', status: 'spooler_completed' } } }]);
        // In seconds, as .NET has it.
        const without = { timeout: -0.001, deadline: -0.001 };
        const call = { do: 'call', operation: 'wait', arguments: { job_id: 'a', timeout: -0.001 } } as const;
        const answer = await driver.ask({ ...call, ...without, base_url: server.url });
        await server.close();
        expect(answer.result).toMatchObject({ outcome: 'completed' });
      });
    },
  );
} else it.skip('needs the .NET SDK', () => undefined);
