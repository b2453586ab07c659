import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command as Commander, CommanderError, InvalidArgumentError, Option } from 'commander';
import { apiAddress, CallFailed, localAddress, OperatorClient, ownVersion } from './operator-client.js';
import type { Command, Input, Streams, Values } from './command.js';
import { commands, groups, separatePrograms } from './commands.js';
import { perform } from './perform.js';

interface GlobalOptions {
  readonly url?: string;
  readonly host?: string;
  readonly port?: string;
  readonly token?: string;
  readonly dataDir: string;
  readonly json?: true;
}

export async function rps(argv: readonly string[], output: Streams): Promise<number> {
  let code = 0;
  const program = root(output);
  for (const command of commands) {
    declare(program, command, async (values) => {
      const { url, host, port, token, dataDir, json } = program.opts<GlobalOptions>();
      const client = new OperatorClient(
        url ?? localAddress(host || '127.0.0.1', port || '3000'),
        token ?? tokenIn(dataDir),
      );
      const readable = output.readable === true && !json;
      code = await perform(client, command, values, { ...output, readable });
    });
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (!(error instanceof CallFailed)) throw error;
    output.err(`rps: ${error.message}\nnext: ${error.next}\n`);
    return 1;
  }
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
    .configureHelp({ visibleCommands: (command) => (command.parent ? [...command.commands] : []) })
    .addHelpText(
      'after',
      `\nCommands:\n${commandList()}\nrps COMMAND --help shows the arguments and options of one.`,
    )
    .showHelpAfterError('next: rps --help lists all commands, rps COMMAND --help the options of one.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void output.out(text), writeErr: output.err });
}

function commandList(): string {
  const terms = [...commands, ...separatePrograms].map(({ words, summary: says, args = [] }) => ({
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

/** A parent such as `partner credential` may be runnable itself. */
function declare(program: Commander, command: Command, run: (values: Values) => Promise<void>): void {
  const words = command.words.split(' ');
  const leaf = words.reduce<Commander>(
    (parent, word) =>
      parent.commands.find((known) => known.name() === word) ??
      parent
        .command(word)
        .description(groups[word] ?? '')
        .copyInheritedSettings(parent),
    program,
  );
  leaf.description(command.summary);
  for (const arg of command.args ?? []) {
    if (arg.many) leaf.argument(`<${arg.field}...>`, arg.summary);
    else leaf.argument(arg.optional ? `[${arg.field}]` : `<${arg.field}>`, arg.summary, parser(arg));
  }
  for (const flag of command.flags ?? []) leaf.addOption(option(flag));
  leaf.action(async (...given: unknown[]) => {
    const values: Values = {};
    for (const [field, flag] of Object.entries(leaf.opts())) values[field] = open(flag);
    command.args?.forEach(({ field }, index) => (values[field] = open(given[index])));
    const missing = command.flags?.find(({ field, required }) => required && values[field] === undefined);
    if (missing) leaf.error(`error: required option '${option(missing).flags}' not specified`);
    await run(values);
  });
}

function option(flag: Input): Option {
  const long = `--${flag.flag ?? flag.field.replaceAll('_', '-')}`;
  const words = flag.short ? `-${flag.short}, ${long}` : long;
  const made = new Option(
    flag.value ? `${words} <${flag.value}>` : words,
    flag.required ? `${flag.summary} (required)` : flag.summary,
  );
  made.attributeName = () => flag.field;
  return flag.value ? made.argParser(parser(flag)) : made;
}

/** commander treats a parsed null as no value. */
class Parsed {
  constructor(readonly value: unknown) {}
}

const open = (given: unknown) => (given instanceof Parsed ? given.value : given);

function parser({ parse = (text) => text }: Input): (text: string) => Parsed {
  return (text) => {
    try {
      return new Parsed(parse(text));
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  };
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
