import { EX_USAGE } from '../../app/exit-codes.js';
import { runHealthChecks, report } from './run-health-checks.js';

process.umask(0o077);
if (process.argv.length > 3) {
  process.stderr.write('usage: rps doctor   (configured as the service is, by environment and .env)\n');
  process.exitCode = EX_USAGE;
} else {
  process.exitCode = await report(runHealthChecks(), (line) => void process.stdout.write(line));
}
