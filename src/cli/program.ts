import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command as Commander, CommanderError, InvalidArgumentError, Option } from 'commander';
import { commands, groups, type Command, type Input } from './commands.js';
import { CallFailed, OperatorClient } from './operator-client.js';
import { perform } from './perform.js';
import type { Streams, Values } from './work.js';

/** Runs one command line; answers the exit code. */
export async function rps(argv: readonly string[], output: Streams): Promise<number> {
  let code = 0;
  const program = root(output);
  for (const command of commands) {
    declare(program, command, async (values) => {
      const { url, token, dataDir } = program.opts<{ url: string; token?: string; dataDir: string }>();
      const client = new OperatorClient(url, token ?? tokenIn(dataDir));
      code = await perform(client, command, values, output);
    });
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (!(error instanceof CallFailed)) throw error;
    output.err(`rps: ${error.message}\n`);
    return 1;
  }
}

function root(output: Streams): Commander {
  return new Commander('rps')
    .description('Operates the remote printing service: a thin client of /v1/operator.')
    .addOption(new Option('--url <url>', 'base address').env('RPS_URL').default('http://127.0.0.1:3000/v1'))
    .addOption(
      new Option('--token <token>', 'operator token (default: from the data folder)').env('RPS_TOKEN'),
    )
    .addOption(
      new Option('--data-dir <folder>', "the service's data folder").env('DATA_DIR').default('./data'),
    )
    .addHelpText(
      'after',
      '\nrps doctor checks configuration and stores themselves, also while the service does not run.',
    )
    .exitOverride()
    .configureOutput({ writeOut: (text) => void output.out(text), writeErr: output.err });
}

/** Finds or makes the groups on the way: `partner credential revoke` lies below a command that can itself be run. */
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
  leaf.description(command.says);
  for (const arg of command.args ?? [])
    leaf.argument(arg.optional ? `[${arg.field}]` : `<${arg.field}>`, arg.says, parser(arg));
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
  const words = `--${flag.field.replaceAll('_', '-')}`;
  const made = new Option(
    flag.value ? `${words} <${flag.value}>` : words,
    flag.required ? `${flag.says} (required)` : flag.says,
  );
  made.attributeName = () => flag.field;
  return flag.value ? made.argParser(parser(flag)) : made;
}

/** Commander takes a parsed null for no value at all, so values travel in a box. */
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
    throw new CallFailed(`no operator token: ${file} cannot be read; give --token or --data-dir`);
  }
}
