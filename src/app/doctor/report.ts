import type { Checkup, Finding } from '../../ports/checkup.js';

const WIDTH = 48;

/** One line each, `ok|warn|fail  <what>  <found>`; resolves to the exit code: 1 when something fails. */
export async function report(findings: Checkup, print: (line: string) => void): Promise<number> {
  let code = 0;
  for await (const finding of findings) {
    print(lineOf(finding));
    if (finding.verdict === 'fail') code = 1;
  }
  return code;
}

function lineOf({ verdict, what, found }: Finding): string {
  return `${verdict.padEnd(4)}  ${what.padEnd(WIDTH)}  ${found.replace(/\s+/g, ' ')}\n`;
}
