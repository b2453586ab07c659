import { WindowsService, withoutToken, type RunProgram } from './windows-service.js';

/** Programs of Windows that write down how they are called; NSSM knows the service or not. */
function programs(isInstalled: boolean) {
  const calls: string[] = [];
  const run: RunProgram = async (file, args) => {
    calls.push([file.split(/[\\/]/).at(-1), ...args].join(' '));
    if (args[0] === 'status' && !isInstalled) throw Object.assign(new Error('no service'), { code: 3 });
  };
  return { calls, service: new WindowsService('/agent', run) };
}

const plan = {
  args: ['--url', 'https://print.example/v1', '--name', 'Front desk'],
  state: 'C:\\ProgramData\\Agent',
  environment: { UV_THREADPOOL_SIZE: '16' },
};

describe('installing the service of Windows', () => {
  it('closes the state folder to other users before the service starts', async () => {
    const { calls, service } = programs(false);
    await service.install(plan);

    expect(calls[0]).toBe(
      'icacls C:\\ProgramData\\Agent /inheritance:r /grant:r *S-1-5-18:(OI)(CI)F /grant:r *S-1-5-32-544:(OI)(CI)F',
    );
    expect(calls.at(-1)).toBe('nssm.exe start RemotePrintingAgent');
  });

  it('passes arguments with spaces as one', async () => {
    const { calls, service } = programs(false);
    await service.install(plan);

    expect(calls).toContain(
      'nssm.exe set RemotePrintingAgent AppParameters /agent/app/agent/main.js --url https://print.example/v1 --name "Front desk"',
    );
  });

  it('restarts the Agent except after endings that a restart repeats', async () => {
    const { calls, service } = programs(false);
    await service.install(plan);

    expect(calls.filter((call) => call.includes(' AppExit '))).toEqual(
      ['Default Restart', '0 Exit', '64 Exit', '76 Exit', '77 Exit', '78 Exit'].map(
        (rule) => `nssm.exe set RemotePrintingAgent AppExit ${rule}`,
      ),
    );
  });

  it('replaces the settings of an installed service', async () => {
    const { calls, service } = programs(true);
    expect(await service.stop()).toBe(true);
    await service.install(plan);

    expect(calls.filter((call) => call.includes(' install '))).toEqual([]);
    expect(calls.some((call) => call.includes('AppParameters'))).toBe(true);
  });

  it('keeps no token in the settings', () => {
    expect(withoutToken(['--url', 'u', '--token', 'secret', '--cups'])).toEqual(['--url', 'u', '--cups']);
    expect(withoutToken(['--token=secret', '--url', 'u'])).toEqual(['--url', 'u']);
  });
});

describe('removing the service of Windows', () => {
  it('stops it first', async () => {
    const { calls, service } = programs(true);
    await service.uninstall();

    expect(calls.slice(1)).toEqual([
      'nssm.exe stop RemotePrintingAgent',
      'nssm.exe remove RemotePrintingAgent confirm',
    ]);
  });

  it('does nothing where none is installed', async () => {
    const { calls, service } = programs(false);
    await service.uninstall();

    expect(calls).toEqual(['nssm.exe status RemotePrintingAgent']);
  });
});
