import type { HealthCheck, Finding } from '../../event-sourcing/index.js';

const WIDTH = 48;

/** One line per finding: `ok|warn|fail  <check>  <found>`. Resolves to exit code 1 if any failed. */
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
