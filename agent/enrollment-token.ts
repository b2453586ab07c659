import { createInterface } from 'node:readline';
import { AgentStop, ExitCode } from './exit-codes.js';

/** The value of `--token` for which the token is read from stdin. */
const FROM_STDIN = '-';

/** The token itself. Reads stdin only when it is needed. @throws AgentStop without one */
export async function enrollmentToken(given: string | undefined): Promise<string> {
  const token = given === FROM_STDIN ? await firstLine() : given;
  if (token) return token;
  throw new AgentStop(
    ExitCode.config,
    'not enrolled yet: give an enrollment token in SVC_ENROLLMENT_TOKEN, or on stdin with --token -',
  );
}

/** One line on what to do after the credential was refused. */
export function newTokenAdvice(isWindows: boolean, url: string, args: readonly string[]): string {
  const command = isWindows
    ? `rps-agent.cmd install --url ${url} --token -`
    : `${[...args, '--token', FROM_STDIN].join(' ')}`;
  return (
    'create an enrollment token (panel: Devices, Connect a computer; or rps enrollment create --account ID), ' +
    `then run this and enter the token: ${command}`
  );
}

async function firstLine(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('enrollment token: ');
  for await (const line of createInterface({ input: process.stdin })) return line.trim();
  return '';
}
