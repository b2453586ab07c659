import { runHealthChecks, report } from '../../src/operations/doctor/run-health-checks.js';

/** Output and exit code of `rps doctor` in a separate environment. */
export async function diagnosis(env: Record<string, string>) {
  let text = '';
  const code = await report(runHealthChecks(env), (line) => void (text += line));
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => [line.slice(0, 4), line.slice(6, 54), line.slice(56)].map((part) => part.trim()));
  /** Verdict and finding of one line. */
  const of = (what: string) =>
    lines.filter(([, named]) => named === what).map(([v, , found]) => [v, found])[0]!;
  return { code, text, of };
}
