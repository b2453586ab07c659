import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import path from 'node:path';

// The newest Lighthouse for Node 20 needs 200 packages, so one suite alone has them: this installs them once.
const folder = path.resolve('node_modules/.cache/lighthouse');

for (const name of ['package.json', 'package-lock.json'])
  cpSync(path.join(import.meta.dirname, name), path.join(folder, name));
if (!existsSync(path.join(folder, 'node_modules/lighthouse'))) {
  // Not `npm ci`, which wants packages in the lock file that `npm install` leaves out.
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2], timeout: 300_000 });
}
