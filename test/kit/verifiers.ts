import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const VERIFY_MJS = path.join(root, 'verifier/verify.mjs');
export const VERIFY_GO = path.join(root, 'verifier/go/main.go');
const MODULES = '/usr/share/gocode';
/** Packages of Go, compiled once. */
export const GOCACHE = path.join(root, 'node_modules/.cache/go-build');

export interface Verdict {
  readonly holds: boolean;
  readonly findings: readonly string[];
  readonly withheld: readonly string[];
}

export interface Records {
  readonly vkey: string;
  /** Files of the auditor. */
  readonly kept?: readonly string[];
}

interface NodeVerifier {
  keyOf(vkey: string): object | undefined;
  verify(file: string, records: object): { findings: string[]; withheld: string[] };
}

const node = (await import(VERIFY_MJS)) as NodeVerifier;

/** What verify.mjs says of a file, in this process. @param time when the kept notes were kept, in ms */
export function byNode(file: string, { vkey, kept = [] }: Records, time?: number): Verdict {
  const records = { key: node.keyOf(vkey), kept: kept.map((each) => ({ path: each, time })) };
  const { findings, withheld } = node.verify(file, records);
  return { holds: findings.length === 0, findings, withheld };
}

/** Why the verifier in Go cannot run here; undefined if it can. */
export const goIsMissing = (() => {
  if (spawnSync('go', ['version']).status !== 0) return 'golang-go is not installed';
  if (existsSync(path.join(MODULES, 'src/golang.org/x/mod/sumdb'))) return undefined;
  return 'golang-golang-x-mod-dev is not installed';
})();

let program: string | undefined;

/** What main.go says of the files, in one process. */
export function byGo(files: readonly string[], { vkey, kept = [] }: Records): readonly Verdict[] {
  program ??= builtGo();
  const args = ['-vkey', vkey, ...kept.flatMap((each) => ['-kept', each]), ...files];
  const { stdout, stderr, status } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0 && status !== 1) throw new Error(`main.go ended with ${status}: ${stderr}`);
  const parts = stdout.split(/^(HOLDS|DOES NOT HOLD)\n/m);
  return files.map((_, index) => {
    const lines = parts[2 * index]!.split('\n');
    const after = (word: string) =>
      lines.flatMap((line) => (line.startsWith(word) ? [line.slice(word.length)] : []));
    return {
      holds: parts[2 * index + 1] === 'HOLDS',
      findings: after('FAILS '),
      withheld: after('withheld '),
    };
  });
}

/** What both verifiers find in a proof file, or Node's alone where Go is missing. */
export function findingsOf(file: string, records: Records): readonly (readonly string[])[] {
  const go = goIsMissing ? [] : byGo([file], records);
  return [byNode(file, records), ...go].map(({ findings }) => findings);
}

function builtGo(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rps-verifier-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'verify');
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: MODULES, GOCACHE, GOFLAGS: '' };
  const built = spawnSync('go', ['build', '-o', file, VERIFY_GO], {
    env,
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(`go build: ${built.stderr}`);
  return file;
}

/** Writes files into one folder, named by their number. */
export class FileFolder {
  readonly path = mkdtempSync(path.join(tmpdir(), 'rps-proof-'));
  private count = 0;

  write(content: string | Uint8Array): string {
    const file = path.join(this.path, `${(this.count += 1)}`);
    writeFileSync(file, content);
    return file;
  }

  /** What both verifiers find in the text of a proof file. @param kept texts of notes and older files */
  findings(text: string, vkey: string, ...kept: readonly string[]): readonly (readonly string[])[] {
    return findingsOf(this.write(text), { vkey, kept: kept.map((note) => this.write(note)) });
  }

  append(file: string, content: string): void {
    appendFileSync(file, content);
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}
