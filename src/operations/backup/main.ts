import { resolve } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { SystemClock } from '../../app/system/system-clock.js';
import { EX_USAGE } from '../../app/exit-codes.js';
import { ConfigError, loadConfig } from '../../config.js';
import { messageOf } from '../../kernel/errors.js';
import { productVersion } from '../../app/product-version.js';
import { compact } from './compact.js';
import { makeBackup } from './make-backup.js';
import { BackupError } from './manifest.js';
import { restoreBackup } from './restore-backup.js';

// Backups hold secrets: create files as 0600 and folders as 0700, whatever the caller's umask.
process.umask(0o077);

/** @throws BackupError with server stores, ConfigError */
function commonOptions() {
  const { eventStoreUrl, masterKey, dataDir, packAfterMs } = loadConfig();
  if (eventStoreUrl !== undefined) {
    throw new BackupError(
      'EVENTSTORE_URL is set: docs/operations.md says how to back up and restore the server stores',
    );
  }
  const given = program.opts<{ dataDir?: string }>().dataDir;
  return {
    dataDir: resolve(given ?? dataDir),
    keyInEnvironment: masterKey !== undefined,
    clock: new SystemClock(),
    packAfterMs,
  };
}

function print(outcome: object): void {
  process.stdout.write(`${JSON.stringify(outcome, null, 2)}\n`);
}

const program = new Command('rps')
  .addOption(new Option('--data-dir <folder>', "the service's data folder (default: DATA_DIR, ./data)"))
  .exitOverride();
program
  .command('backup')
  .description('copy the data folder, also while the service runs')
  .argument('<folder>', 'empty, or not there yet')
  .action(async (folder: string) => {
    print(await makeBackup({ ...commonOptions(), folder, productVersion: productVersion() }));
  });
program
  .command('restore')
  .description('check a backup and copy it into the data folder of a service that does not run')
  .argument('<folder>', 'as `rps backup` made it')
  .action(async (folder: string) => print(await restoreBackup({ ...commonOptions(), folder })));
program
  .command('compact')
  .description('pack the events of a service that does not run, and rewrite its database without free space')
  .action(async () => print(await compact(commonOptions())));

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : EX_USAGE;
  else {
    process.stderr.write(`rps: ${sentenceOf(error)}\n`);
    process.exitCode = 1;
  }
}

function sentenceOf(error: unknown): string {
  const isOurs = error instanceof BackupError || error instanceof ConfigError;
  return isOurs ? error.message : `the disk or the database failed: ${messageOf(error)}`;
}
