import { readFileSync } from 'node:fs';
import { readConfig, serviceEnvironment, fontFolders } from './config.js';
import { AGENT_VERSION } from './version.js';

describe('the collector of traces', () => {
  const tracesOf = (environment: Record<string, string>) =>
    readConfig(['--url', 'http://127.0.0.1:3000/v1'], environment, 'linux').traces;

  it('is that of the environment, if any', () => {
    expect(tracesOf({})).toBeUndefined();
    expect(
      tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/', OTEL_SERVICE_NAME: 'till' }),
    ).toEqual({
      collector: 'http://collector:4318',
      name: 'till',
    });
  });

  it('does not keep the Agent from starting if it is meant for gRPC', () => {
    expect(tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' })).toMatchObject({
      collector: 'collector:4317',
    });
  });
});

describe('the version of the Agent', () => {
  it('is that of package.json', () => {
    expect(JSON.parse(readFileSync('package.json', 'utf8'))).toMatchObject({ version: AGENT_VERSION });
  });
});

describe('the version of the installer', () => {
  it('is what the variables of the service say', () => {
    const read = (environment: NodeJS.ProcessEnv) =>
      readConfig(['--url', 'http://127.0.0.1:3000/v1'], environment, 'linux').installerVersion;

    expect(read({})).toBeUndefined();
    expect(read({ SVC_INSTALLER_VERSION: '2.1.0' })).toBe('2.1.0');
  });
});

describe('choosing the printers', () => {
  const config = (platform: string, ...more: string[]): ReturnType<typeof readConfig> =>
    readConfig(['--url', 'http://127.0.0.1:3000/v1', ...more], {}, platform);

  it('offers the printers of Windows by default on Windows', () => {
    expect(config('win32').winspool).toBe(true);
  });

  it.each([[['--virtual', './printed']], [['--cups']]])('leaves them out when %s is given', (args) => {
    expect(config('win32', ...args).winspool).toBe(false);
    expect(config('win32', ...args, '--winspool').winspool).toBe(true);
  });

  it('refuses --winspool on other systems, where no printer is the default', () => {
    expect(config('linux').winspool).toBe(false);
    expect(() => config('linux', '--winspool')).toThrow('--winspool needs Windows');
  });

  it('collects the printers that print otherwise than usual', () => {
    const { directPdf, textPages } = config('win32', '--direct-pdf', 'a', '--direct-pdf', 'b 2');
    expect([directPdf, textPages]).toEqual([['a', 'b 2'], []]);
    expect(config('win32', '--text-pages', 'c')).toMatchObject({ directPdf: [], textPages: ['c'] });
  });
});

describe('the way to the service', () => {
  const proxyOf = (environment: NodeJS.ProcessEnv, ...more: string[]) =>
    readConfig(['--url', 'http://127.0.0.1:3000/v1', ...more], environment, 'linux').proxy;

  it('is direct without a proxy', () => {
    expect(proxyOf({})).toMatchObject({ httpProxy: '', httpsProxy: '' });
  });

  it('leads through the proxies of the environment', () => {
    expect(proxyOf({ HTTP_PROXY: 'http://a:1', https_proxy: 'http://b:2' })).toMatchObject({
      httpProxy: 'http://a:1',
      httpsProxy: 'http://b:2',
    });
  });

  it('leads through --proxy, whatever the environment says', () => {
    const given = proxyOf({ HTTPS_PROXY: 'http://b:2' }, '--proxy', 'http://c:3');

    expect(given).toMatchObject({ httpProxy: 'http://c:3', httpsProxy: 'http://c:3' });
  });

  it('never leads from this computer to itself through a proxy', () => {
    const { noProxy } = proxyOf({ HTTP_PROXY: 'http://a:1', NO_PROXY: 'intranet.example' });

    expect(noProxy.split(',')).toEqual(['intranet.example', 'localhost', '127.0.0.1', '[::1]']);
  });
});

describe('the state folder', () => {
  const stateOf = (platform: string) =>
    readConfig(['--url', 'http://127.0.0.1:3000/v1'], { ProgramData: 'C:\\ProgramData' }, platform).state;

  it('is below ProgramData on Windows', () => {
    expect(stateOf('win32')).toBe('C:\\ProgramData\\RemotePrintingAgent');
  });

  it('is below the current folder elsewhere', () => {
    expect(stateOf('linux')).toBe('./agent-state');
  });
});

describe('the variables of an installed service', () => {
  it('are those that lead to the service, certify it and set the log level', () => {
    const given = { HTTPS_PROXY: 'http://b:2', NODE_EXTRA_CA_CERTS: 'C:\\ca.pem', LOG_LEVEL: 'debug' };

    expect(serviceEnvironment({ ...given, SVC_ENROLLMENT_TOKEN: 'secret', HTTP_PROXY: '' })).toEqual({
      UV_THREADPOOL_SIZE: '16',
      SVC_INSTALLER_VERSION: AGENT_VERSION,
      ...given,
    });
  });
});

describe('the folders of fonts', () => {
  it('are those of Windows and of the user', () => {
    expect(fontFolders({ WINDIR: 'D:\\Windows', LOCALAPPDATA: 'D:\\me' }, 'win32')).toEqual([
      'D:\\Windows\\Fonts',
      'D:\\me\\Microsoft\\Windows\\Fonts',
    ]);
    expect(fontFolders({}, 'win32')).toEqual(['C:\\Windows\\Fonts']);
  });
});
