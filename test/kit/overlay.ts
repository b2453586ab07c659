import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Shows the root file system, with changes in memory, at "$1/root" until it is killed. */
const MOUNT = `set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/changes" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/changes,workdir=$1/work" "$1/root"
mount --bind /dev "$1/root/dev"
mount -t proc proc "$1/root/proc"
echo ready
exec sleep infinity`;

/** Reason why there can be no copy of this machine; undefined if there can. */
export function overlayMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'a copy of this machine needs root';
  const script = `d=$(mktemp -d) && ${MOUNT.replace('exec sleep infinity', 'true').replaceAll('$1', '$d')}`;
  const { status } = spawnSync('unshare', ['--mount', 'sh', '-c', script]);
  return status === 0 ? undefined : 'this machine mounts no overlay';
}

/** A copy of this machine whose files can be changed. It shares network and processes, and has no systemd. */
export class Overlay {
  private constructor(
    private readonly folder: string,
    private readonly mounts: ChildProcess,
  ) {}

  static async start(): Promise<Overlay> {
    const folder = await mkdtemp(join(tmpdir(), 'overlay-'));
    const mounts = spawn('unshare', ['--mount', 'sh', '-c', MOUNT, 'sh', folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(mounts.stdout, 'data');
    return new Overlay(folder, mounts);
  }

  /** Resolves to the output of a shell command. @throws Error with its exit code as `code`, and `stderr` */
  async sh(command: string, env: Record<string, string> = {}): Promise<string> {
    const [program, ...args] = this.entering(command);
    const { stdout } = await run(program!, args, { env: { ...process.env, ...env }, timeout: 120_000 });
    return stdout;
  }

  /** Starts a shell command. */
  start(command: string): ChildProcess {
    const [program, ...args] = this.entering(command);
    return spawn(program!, args, { stdio: 'ignore' });
  }

  async copyIn(file: string, to: string): Promise<void> {
    const target = join(this.folder, 'root', to);
    await run('nsenter', [`--mount=/proc/${this.mounts.pid}/ns/mnt`, 'cp', file, target]);
  }

  async remove(): Promise<void> {
    this.mounts.kill('SIGKILL');
    await once(this.mounts, 'exit');
    await rm(this.folder, { recursive: true });
  }

  private entering(command: string): readonly string[] {
    const namespace = `--mount=/proc/${this.mounts.pid}/ns/mnt`;
    return ['nsenter', namespace, 'chroot', join(this.folder, 'root'), 'sh', '-ec', command];
  }
}
