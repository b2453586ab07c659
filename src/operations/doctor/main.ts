import { EX_USAGE } from '../../app/exit-codes.js';
import { runHealthChecks, report } from './run-health-checks.js';

process.umask(0o077);
const USAGE = 'usage: rps doctor   (configured as the service is, by environment and .env)\n';
const [asked, ...others] = process.argv.slice(3);
if (asked === '--help' && others.length === 0) process.stdout.write(USAGE);
else if (asked !== undefined) {
  process.stderr.write(USAGE);
  process.exitCode = EX_USAGE;
} else {
  process.exitCode = await report(runHealthChecks(), (line) => void process.stdout.write(line));
}
