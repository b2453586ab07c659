import type { Command as Commander, Option } from 'commander';

/** Scripts that ask `rps __complete WORDS` what may stand in the place of the last word. */
const SCRIPTS = {
  bash: `_rps() {
  local IFS=$'\\n'
  COMPREPLY=($(rps __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null))
  if [[ \${COMPREPLY[0]} == ':files' ]]; then
    COMPREPLY=()
    compopt -o default
  fi
}
complete -F _rps rps
`,
  zsh: `#compdef rps
_rps() {
  local -a found
  found=("\${(@f)$(rps __complete "\${(@)words[2,CURRENT]}" 2> /dev/null)}")
  if [[ $found[1] == ':files' ]]; then _files; elif [[ -n $found[1] ]]; then compadd -a found; fi
}
compdef _rps rps
`,
  fish: `function __rps_complete
  set -l words (commandline -opc)
  set -l found (rps __complete $words[2..] (commandline -ct) 2> /dev/null)
  if test "$found[1]" = ':files'
    __fish_complete_path (commandline -ct)
  else
    string join \\n -- $found
  end
end
complete -c rps -f -a '(__rps_complete)'
`,
} as const;

export type Shell = keyof typeof SCRIPTS;

export const SHELLS = Object.keys(SCRIPTS) as readonly Shell[];

export const scriptOf = (name: Shell): string => SCRIPTS[name];

/** The completion of a path is left to the shell. */
const FILES = [':files'];
const IS_FILE = /^(files?|folder|dir)$/i;

/** What may stand in the place of the last word, by the declarations of the commands. */
export function completions(program: Commander, words: readonly string[]): readonly string[] {
  const { command, position, option } = placeOf(program, words.slice(0, -1));
  const word = words.at(-1) ?? '';
  const found = option
    ? valuesOf(placeholderOf(option))
    : word.startsWith('-')
      ? optionsOf(command).map(({ long }) => long!)
      : [...command.commands.map((each) => each.name()), ...argumentsAt(command, position)];
  return found === FILES ? FILES : found.filter((each) => each === FILES[0] || each.startsWith(word));
}

/** Reads words as commander does: commands, options with or without a value, arguments. */
function placeOf(program: Commander, words: readonly string[]) {
  let command = program;
  let position = 0;
  let option: Option | undefined;
  for (const word of words) {
    if (option) {
      option = undefined;
    } else if (word.startsWith('-')) {
      const named = optionsOf(command).find(({ long, short }) => word === long || word === short);
      option = named?.required ? named : undefined;
    } else {
      const next = position === 0 ? command.commands.find((each) => each.name() === word) : undefined;
      if (next) command = next;
      else position++;
    }
  }
  return { command, position, option };
}

function optionsOf(command: Commander): readonly Option[] {
  const own = command.createHelp().visibleOptions(command);
  return command.parent ? [...own, ...optionsOf(command.parent)] : own;
}

function argumentsAt({ registeredArguments }: Commander, position: number): readonly string[] {
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[position] ?? (last?.variadic ? last : undefined);
  return argument ? valuesOf(argument.name()) : [];
}

const placeholderOf = ({ flags }: Option) => flags.split('<')[1]?.slice(0, -1) ?? '';

function valuesOf(placeholder: string): readonly string[] {
  if (IS_FILE.test(placeholder)) return FILES;
  return placeholder.includes('|') ? placeholder.split('|') : [];
}
