import { Argument, Command as Commander, Help, InvalidArgumentError, Option } from 'commander';
import type { Format, Input, Values } from './command.js';
import type { Declared } from './commands.js';
import { count, oneOf, option as input } from './inputs.js';

const FORMATS: readonly Format[] = ['json', 'table', 'csv'];

/** Flags of every command that prints an answer. */
export const OUTPUT: readonly Input[] = [
  { ...input('output', 'how to print it', FORMATS.join('|'), oneOf(FORMATS)), short: 'o' },
  input('field', 'print one field only, as api_key or items.0.job_id', 'NAME'),
];

/** Flags of every command that lists or shows. */
export const WATCH: readonly Input[] = [
  { field: 'watch', short: 'w', summary: 'print it again at each change, until Ctrl-C' },
  input('for', 'end --watch after so long (default 3600, at most 86400)', 'SECONDS', count),
];

/** Lists the groups with their commands instead of the groups alone. */
export function formatHelp(command: Commander, help: Help): string {
  if (!command.parent) help.visibleCommands = () => [];
  return Help.prototype.formatHelp.call(help, command, help);
}

/** A parent such as `partner credential` may be runnable itself. */
export function declare(program: Commander, command: Declared, run: (values: Values) => Promise<void>): void {
  const words = command.words.split(' ');
  const leaf = words.reduce<Commander>(
    (parent, word) =>
      parent.commands.find((known) => known.name() === word) ??
      parent.command(word).copyInheritedSettings(parent),
    program,
  );
  leaf.description(command.summary);
  for (const arg of command.args ?? []) leaf.addArgument(argument(arg));
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

function argument(arg: Input): Argument {
  const name = arg.value?.includes('|') ? arg.value : arg.field;
  if (arg.many) return new Argument(`<${name}...>`, arg.summary);
  return new Argument(arg.optional ? `[${name}]` : `<${name}>`, arg.summary).argParser(parser(arg));
}

function option(flag: Input): Option {
  const long = `--${flag.flag ?? flag.field.replaceAll('_', '-')}`;
  const words = flag.short ? `-${flag.short}, ${long}` : long;
  const made = new Option(
    flag.value ? `${words} <${flag.value}>` : words,
    flag.required ? `${flag.summary} (required)` : flag.summary,
  );
  made.attributeName = () => flag.field;
  if (flag.env) made.env(flag.env);
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
