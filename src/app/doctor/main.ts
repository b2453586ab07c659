import { checkup } from './checkup.js';
import { report } from './report.js';

// What it writes for a moment is for its own user alone.
process.umask(0o077);
if (process.argv.length > 3) {
  process.stderr.write('usage: rps doctor   (configured as the service is, by environment and .env)\n');
  process.exitCode = 1;
} else {
  process.exitCode = await report(checkup(), (line) => void process.stdout.write(line));
}
