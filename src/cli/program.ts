import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command as Commander, CommanderError, Option } from 'commander';
import { type Command, type Format, type Input, isWatchable, type Streams } from './command.js';
import { commands, completionCommand, type Declared, separatePrograms } from './commands.js';
import { completions, scriptOf, type Shell } from './completion.js';
import { declare, formatHelp, OUTPUT, WATCH } from './declare.js';
import {
  apiAddress,
  CallFailed,
  localAddress,
  OperatorClient,
  ownVersion,
  UsageFailed,
} from './operator-client.js';
import { perform } from './perform.js';

interface GlobalOptions {
  readonly url?: string;
  readonly host?: string;
  readonly port?: string;
  readonly token?: string;
  readonly dataDir: string;
  readonly json?: true;
}

const EX_USAGE = 64;

/** Resolves to the exit code. */
export async function rps(argv: readonly string[], output: Streams): Promise<number> {
  let code = 0;
  const program = root(output);
  for (const command of commands) {
    declare(program, { ...command, flags: flagsOf(command) }, async (values) => {
      const { url, host, port, token, dataDir, json } = program.opts<GlobalOptions>();
      const client = new OperatorClient(
        url ?? localAddress(host || '127.0.0.1', port || '3000'),
        token ?? tokenIn(dataDir),
      );
      const usual: Format = output.readable && !json ? 'table' : 'json';
      const format = (values.output as Format | undefined) ?? usual;
      code = await perform(client, command, values, { ...output, format });
    });
  }
  for (const command of separatePrograms)
    declare(program, command, async () => {
      throw new UsageFailed(`${command.words} is a program of its own`, 'Start it with bin/rps.mjs.');
    });
  declare(program, completionCommand, async ({ shell }) => output.out(scriptOf(shell as Shell)));
  const [first, ...words] = argv;
  if (first === '__complete') {
    await output.out(
      completions(program, words)
        .map((each) => `${each}\n`)
        .join(''),
    );
    return 0;
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    return failed(error, output);
  }
}

function flagsOf(command: Command): readonly Input[] {
  const own = command.flags ?? [];
  if (command.isRaw) return own;
  return [
    ...own,
    ...(command.pages === 'lines' ? OUTPUT.slice(0, 1) : OUTPUT),
    ...(isWatchable(command) ? WATCH : []),
  ];
}

/** @throws Error unless it is known */
function failed(error: unknown, { err }: Streams): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EX_USAGE;
  if (!(error instanceof CallFailed)) throw error;
  err(`rps: ${error.message}\nnext: ${error.next}\n`);
  return error instanceof UsageFailed ? EX_USAGE : 1;
}

function root(output: Streams): Commander {
  return new Commander('rps')
    .usage('COMMAND [arguments] [options]')
    .description('Operates the Remote Printing Service over its operator surface, /v1/operator.')
    .addOption(
      new Option('--url <url>', 'address of the service, with or without /v1 (default: HOST and PORT)')
        .env('RPS_URL')
        .argParser(apiAddress),
    )
    .addOption(new Option('--host <host>').env('HOST').hideHelp())
    .addOption(new Option('--port <port>').env('PORT').hideHelp())
    .addOption(
      new Option('--token <token>', 'operator token (default: from the data folder)').env('RPS_TOKEN'),
    )
    .addOption(
      new Option('--data-dir <folder>', "the service's data folder").env('DATA_DIR').default('./data'),
    )
    .option('--json', 'print JSON on a terminal too, as into a pipe')
    .version(ownVersion() ?? 'unknown', '--version', 'print the release')
    .helpCommand(false)
    .configureHelp({ formatHelp })
    .addHelpText(
      'after',
      `\nCommands:\n${commandList()}\nrps COMMAND --help shows the arguments and options of one.`,
    )
    .showHelpAfterError('next: rps --help lists all commands, rps COMMAND --help the options of one.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void output.out(text),
      writeErr: output.err,
      outputError: (text, write) => write(oneLine(text)),
    });
}

/** `error: CAUSE`, and a suggestion in a line of its own, as the errors of all commands. */
const oneLine = (text: string) =>
  `${text
    .trim()
    .replace(/^error: /, 'rps: ')
    .replaceAll('\n', ' ')}\n`;

function commandList(): string {
  const all: readonly Declared[] = [...commands, ...separatePrograms, completionCommand];
  const terms = all.map(({ words, summary: says, args = [] }) => ({
    says,
    term: [words, ...args.map(termOf)].join(' '),
  }));
  const width = Math.max(...terms.map(({ term }) => term.length));
  return terms.map(({ term, says }) => `  ${term.padEnd(width)}  ${says}\n`).join('');
}

function termOf({ value, optional, many }: Input): string | undefined {
  if (optional) return `[${value}]`;
  return many ? `${value}...` : value;
}

function tokenIn(dataDir: string): string {
  const file = path.join(dataDir, 'operator-token');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new CallFailed(
      `no operator token: ${file} cannot be read`,
      "Give the service's data folder with --data-dir, or the token with --token.",
    );
  }
}
