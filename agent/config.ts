import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { AgentStop, ExitCode } from './exit-codes.js';
import { namedAddress, type NamedAddress } from './printers/direct/addresses.js';
import { AGENT_VERSION } from './version.js';
import type { ProxySettings } from './service/http-caller.js';
import { OUTCOMES, parseSimulation, STEPS, type SimulationSettings } from './simulation.js';

export interface AgentConfig {
  url: string;
  token?: string;
  state: string;
  virtual?: string;
  virtualName: string[];
  cups: boolean;
  cupsServer: string;
  winspool: boolean;
  directPdf: string[];
  textPages: string[];
  /** Printers without a queue. */
  printer: NamedAddress[];
  /** The service may not add printers. */
  localPrintersOnly: boolean;
  name?: string;
  simulate: SimulationSettings;
  inventorySeconds: number;
  handOffSeconds: number;
  proxy: ProxySettings;
  once: boolean;
  /** Ends once the service has accepted session and printers. */
  connectOnly: boolean;
  /** Version of the program that installed the service. */
  installerVersion?: string;
  logFile?: string;
  logLevel: string;
  /** Undefined: nothing is traced. The collector is as the variable names it, checked by `openTracing`. */
  traces: { readonly collector: string; readonly name: string } | undefined;
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

const THIS_COMPUTER = ['localhost', '127.0.0.1', '[::1]'];

const HELP = `
On Windows, "install" before the options enrols this computer and makes the Agent a service, which starts with it;
"install" without options renews that service after an upgrade, and "uninstall [--purge]" removes it.

--printer takes one of these addresses:
  socket://host[:9100]             raw and encoded text over TCP. Settings: ?status=zpl, escpos or snmp (&community=)
                                   asks for the status; ?waiteof=false for a printer that never closes its side
  file:/dev/usb/lp0, file:COM3     a device, or a file that exists. Setting: ?baud=9600 of a serial port
  ipp://host[:631]/path, ipps://…  an IPP printer

Without --proxy the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY apply; this computer itself is never reached by proxy.

Prefer SVC_ENROLLMENT_TOKEN, or --token - and the token on stdin: other users can see arguments, and npm repeats them.

--simulate takes name=value pairs, separated by commas, and may be repeated:
  outcome=<o>  the virtual printer ends its jobs this way: ${OUTCOMES.join(', ')}
  printer=<p>  outcome is for the virtual printer of this name only
  crash=<s>    the agent kills itself (SIGKILL) at this step of a job, with any printer:
               ${STEPS.slice(0, 5).join(', ')},
               ${STEPS.slice(5).join(', ')}
  delay=<ms>   the virtual printer prints for so long
  times=<n>    outcome and crash happen n times each, counted in the state folder; otherwise always

Exit codes: 0 ended by SIGTERM, SIGINT, --once or --connect-only, 64 wrong arguments, 70 unexpected error,
74 state folder not writable, 75 another agent runs on the state folder, 76 a newer session took over,
77 token or credential refused, 78 neither credential nor token; of install also 69 no answer, 71 not an administrator,
130 interrupted.
`;

export function readConfig(
  argv: string[],
  environment = process.env,
  platform: string = process.platform,
): AgentConfig {
  const command = agentCommand(environment, platform);
  const options = parsed<Omit<AgentConfig, 'proxy' | 'traces'> & { proxy?: string }>(command, argv);
  const onWindows = platform === 'win32';
  if (options.winspool && !onWindows) throw new AgentStop(ExitCode.usage, 'error: --winspool needs Windows');
  const winspool = options.winspool || (onWindows && options.virtual === undefined && !options.cups);
  const proxy = proxyOf(options.proxy, environment);
  const virtualName = options.virtualName.length > 0 ? options.virtualName : ['Virtual printer'];
  const { SVC_ENROLLMENT_TOKEN, [INSTALLER_VERSION]: installerVersion } = environment;
  const token = options.token ?? SVC_ENROLLMENT_TOKEN;
  const traces = tracesOf(environment);
  return { ...options, virtualName, winspool, proxy, installerVersion, token, traces };
}

function agentCommand(environment: NodeJS.ProcessEnv, platform: string): Command {
  return new Command('agent')
    .description('The reference Agent: prints the jobs of a remote printing service on this computer.')
    .requiredOption('--url <url>', 'the service, with its version: http://127.0.0.1:3000/v1', url)
    .option('--token <token>', 'enrollment token, for the first start; - reads it from stdin, see below')
    .option('--state <folder>', 'credential, journal and outbox', stateFolder(platform, environment))
    .option('--virtual <folder>', 'offer a virtual printer that writes to this folder')
    .option(
      '--virtual-name <name>',
      'name of the virtual printer; may be repeated, one printer each',
      listed,
      [],
    )
    .option('--cups', 'offer every CUPS queue of this computer', false)
    .option('--cups-server <address>', 'host:port or unix socket of the CUPS server', '/run/cups/cups.sock')
    .option(
      '--winspool',
      'offer every printer of Windows: the default there without --virtual or --cups',
      false,
    )
    .option('--direct-pdf <queue>', 'a printer of Windows that takes PDF itself; may be repeated', listed, [])
    .option(
      '--text-pages <queue>',
      'a printer of Windows that text is drawn for; may be repeated',
      listed,
      [],
    )
    .option('--printer <name=address>', 'a printer without a queue, see below; may be repeated', printers, [])
    .option('--local-printers-only', 'take no printers from the service', false)
    .option('--name <name>', 'display name of this computer at enrolment')
    .option('--simulate <what>', 'simulate failures, see below', simulation, {})
    .option('--once', 'print what is queued now, report it, and exit', false)
    .option('--connect-only', 'enrol, report the printers, and exit', false)
    .option('--proxy <url>', 'HTTP proxy on the way to the service', url)
    .option('--log-file <file>', 'log to this file instead of stdout: 10 MB, and four older files beside it')
    .option('--inventory-seconds <n>', 'interval between checks of the printers', positive, 5)
    .option('--hand-off-seconds <n>', 'a printer without progress for so long counts as stuck', positive, 60)
    .option('--log-level <level>', LEVELS.join(', '), level, environment.LOG_LEVEL ?? 'info')
    .version(AGENT_VERSION, '--version', 'print the version')
    .addHelpText('after', HELP)
    .exitOverride();
}

/** Arguments of `uninstall`. */
export function readUninstall(
  argv: string[],
  environment = process.env,
  platform: string = process.platform,
): { readonly state: string; readonly purge: boolean } {
  const command = new Command('agent uninstall')
    .option('--state <folder>', 'the state folder of the service', stateFolder(platform, environment))
    .option('--purge', 'also delete the state folder, with the credential and what was not reported', false)
    .exitOverride();
  return parsed(command, argv);
}

/** Folders with the fonts of this computer and user. */
export function fontFolders(environment = process.env, platform: string = process.platform): string[] {
  if (platform !== 'win32') return ['/usr/share/fonts', '/usr/local/share/fonts'];
  const { WINDIR = 'C:\\Windows', LOCALAPPDATA } = environment;
  const ofUser = LOCALAPPDATA === undefined ? [] : [`${LOCALAPPDATA}\\Microsoft\\Windows\\Fonts`];
  return [`${WINDIR}\\Fonts`, ...ofUser];
}

/** Variables of the installing user that the service starts with too. */
const PASSED_ON = [
  ...['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'LOG_LEVEL'],
  ...['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_SERVICE_NAME', 'OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'],
];

/** Tells the Agent which program installed its service. */
const INSTALLER_VERSION = 'SVC_INSTALLER_VERSION';

/** Variables of the service. */
export function serviceEnvironment(environment = process.env): Record<string, string> {
  const { UV_THREADPOOL_SIZE = '16' } = environment;
  const passedOn = PASSED_ON.map((name) => [name, environment[name]]).filter(([, value]) => value);
  return { UV_THREADPOOL_SIZE, [INSTALLER_VERSION]: AGENT_VERSION, ...Object.fromEntries(passedOn) };
}

function parsed<T>(command: Command, argv: string[]): T {
  try {
    return command.parse(argv, { from: 'user' }).opts() as T;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new AgentStop(error.exitCode === 0 ? ExitCode.ok : ExitCode.usage, error.message);
  }
}

function proxyOf(given: string | undefined, environment: NodeJS.ProcessEnv): ProxySettings {
  const variable = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  return {
    httpProxy: given ?? variable('HTTP_PROXY'),
    httpsProxy: given ?? variable('HTTPS_PROXY'),
    noProxy: [variable('NO_PROXY'), ...THIS_COMPUTER].filter(Boolean).join(','),
  };
}

function tracesOf({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector,
  OTEL_SERVICE_NAME: name,
}: NodeJS.ProcessEnv): AgentConfig['traces'] {
  if (!collector) return undefined;
  return { collector: collector.replace(/\/$/, ''), name: name || 'remote-printing-agent' };
}

/** On Windows the folder that services and administrators share, because the Agent usually runs as a service. */
function stateFolder(platform: string, { ProgramData }: NodeJS.ProcessEnv): string {
  return platform === 'win32' && ProgramData ? `${ProgramData}\\RemotePrintingAgent` : './agent-state';
}

function url(value: string): string {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value))
    throw new InvalidArgumentError('not an http(s) URL');
  return value.replace(/\/$/, '');
}

function listed(value: string, before: string[]): string[] {
  return [...before, value];
}

function printers(value: string, before: NamedAddress[]): NamedAddress[] {
  const printer = invalidUnless(() => namedAddress(value));
  if (before.some(({ name }) => name === printer.name))
    throw new InvalidArgumentError(`two printers are called ${printer.name}`);
  return [...before, printer];
}

function positive(value: string): number {
  const number = Number(value);
  if (!(number > 0)) throw new InvalidArgumentError('not a number above 0');
  return number;
}

function level(value: string): string {
  if (!LEVELS.includes(value)) throw new InvalidArgumentError(`must be one of ${LEVELS.join(', ')}`);
  return value;
}

function simulation(value: string, before: SimulationSettings): SimulationSettings {
  return invalidUnless(() => parseSimulation(value, before));
}

function invalidUnless<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
