import fc from 'fast-check';
import type { RunProgram } from './windows-program.js';
import { WindowsService } from './windows-service.js';

/** Programs of Windows that write down how they are called; NSSM knows the service or not. */
function programs(isInstalled: boolean, answers: Readonly<Record<string, string>> = {}) {
  const calls: string[] = [];
  const run: RunProgram = async (file, args) => {
    calls.push([file.split(/[\\/]/).at(-1), ...args].join(' '));
    if (args[0] === 'status' && !isInstalled) throw Object.assign(new Error('no service'), { code: 3 });
    return answers[args[0]!] ?? '';
  };
  return { calls, service: new WindowsService('/agent', run) };
}

const plan = {
  args: ['--url', 'https://print.example/v1', '--name', 'Front desk'],
  state: 'C:\\ProgramData\\Agent',
  environment: { UV_THREADPOOL_SIZE: '16' },
};

describe('installing the service of Windows', () => {
  it('closes its programs to changes by other users before it starts', async () => {
    const { calls, service } = programs(false);
    await service.install(plan);

    expect(calls[0]).toBe(
      'icacls /agent /inheritance:r /grant:r *S-1-5-18:(OI)(CI)F /grant:r *S-1-5-32-544:(OI)(CI)F' +
        ' /grant:r *S-1-3-4:(OI)(CI)F /grant:r *S-1-5-32-545:(OI)(CI)RX',
    );
    expect(calls.at(-1)).toBe('net start RemotePrintingAgent');
  });

  it.each([
    ['without spaces', 'desk\\', 'desk\\'],
    ['with spaces', 'Front desk', '"Front desk"'],
    ['with a backslash at its end', 'Front desk\\', '"Front desk\\\\"'],
    ['with quotes', 'the "front"', '"the \\"front\\""'],
    ['with a backslash before a quote', 'a \\"', '"a \\\\\\""'],
    ['without characters', '', '""'],
  ])('passes an argument %s as one', async (_, name, written) => {
    const { calls, service } = programs(false);
    await service.install({ ...plan, args: ['--name', name] });

    expect(calls).toContain(
      `nssm.exe set RemotePrintingAgent AppParameters --use-system-ca /agent/app/agent/main.js --name ${written}`,
    );
  });

  it('gives Windows the variables of the service', async () => {
    const { calls, service } = programs(false);
    await service.install({ ...plan, environment: { HTTPS_PROXY: 'http://b:2', LOG_LEVEL: 'debug' } });

    expect(calls).toContain(
      'reg add HKLM\\SYSTEM\\CurrentControlSet\\Services\\RemotePrintingAgent /v Environment' +
        ' /t REG_MULTI_SZ /s | /d HTTPS_PROXY=http://b:2|LOG_LEVEL=debug /f',
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
});

describe('reading the settings of the service of Windows', () => {
  it('finds the arguments as they were given', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string()), async (args) => {
        const { calls, service } = programs(false);
        await service.install({ ...plan, args });
        const [, line] = /AppParameters (.*)/s.exec(calls.find((call) => call.includes('AppParameters'))!)!;

        const { service: installed } = programs(true, { get: line! });
        expect((await installed.settings())?.args).toEqual(args);
      }),
    );
  });

  it('finds the variables', async () => {
    const query = [
      '',
      'HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\RemotePrintingAgent',
      '    Environment    REG_MULTI_SZ    UV_THREADPOOL_SIZE=16\\0HTTPS_PROXY=http://b:2/?a=b',
      '',
    ].join('\r\n');
    const { service } = programs(true, { query });

    expect((await service.settings())?.environment).toEqual({
      UV_THREADPOOL_SIZE: '16',
      HTTPS_PROXY: 'http://b:2/?a=b',
    });
  });

  it('finds none where no service is installed', async () => {
    expect(await programs(false).service.settings()).toBeUndefined();
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
