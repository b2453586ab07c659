const USAGE = `usage: npm run demo -- [--busy | --windows] [--exit]

  --busy     a used installation: a day of jobs in a bakery, and one more every few seconds
  --windows  the Agent for Windows prints three documents; needs Wine
  --exit     end when the document is printed, instead of on Ctrl-C
  --help     this text
`;
const OPTIONS: ReadonlySet<string> = new Set(['--busy', '--windows', '--exit']);
const EX_USAGE = 64;

/** The text that answers these arguments in place of a demonstration, if one does, and the exit code with it. */
export function answerTo(
  args: readonly string[],
): { readonly code: number; readonly text: string } | undefined {
  if (args.some((arg) => arg === '--help' || arg === '-h')) return { code: 0, text: USAGE };
  const unknown = args.find((arg) => !OPTIONS.has(arg));
  return unknown === undefined
    ? undefined
    : { code: EX_USAGE, text: `unknown option ${unknown}\n\n${USAGE}` };
}

export function refuseOrExplain(args: readonly string[]): void {
  const answer = answerTo(args);
  if (!answer) return;
  (answer.code === 0 ? process.stdout : process.stderr).write(answer.text);
  process.exit(answer.code);
}
