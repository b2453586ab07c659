import type { HealthCheck, Finding } from '../../event-sourcing/index.js';

const WIDTH = 48;

/** Prints one line per finding, `ok|warn|fail  <what>  <found>`; resolves to exit code 1 if any failed, else 0. */
export async function report(findings: HealthCheck, print: (line: string) => void): Promise<number> {
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
