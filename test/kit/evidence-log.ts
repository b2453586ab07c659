import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';

interface LoggedEvent {
  readonly account: string;
  readonly stream: string;
  /** Text of the body; absent: made of stream and revision. */
  readonly body?: string;
}

interface Logged {
  readonly account: string;
  readonly stream: string;
  readonly seq: number;
  readonly revision: number;
  readonly leaf: number;
  readonly entry: string;
  readonly hash: Buffer;
  readonly body: string;
}

interface Part {
  /** Leaves of the log that the file speaks of; absent: all. */
  readonly size?: number;
  readonly since?: readonly number[];
  readonly withheld?: (one: Logged) => boolean;
}

const sha256 = (...parts: (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const base64 = (bytes: Buffer) => bytes.toString('base64');

/** An evidence log as the specification describes it, with its proof files. Shares no code with the service. */
export class EvidenceLog {
  readonly logged: Logged[] = [];
  readonly vkey: string;
  private readonly key;
  private readonly keyId: Buffer;

  constructor(
    readonly origin = 'rps.example/evidence/0000000000dd',
    seed = Buffer.from(Array.from({ length: 32 }, (_, index) => index)),
  ) {
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
    this.key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const raw = createPublicKey(this.key).export({ format: 'der', type: 'spki' }).subarray(-32);
    const typed = Buffer.concat([Buffer.from([1]), raw]);
    this.keyId = sha256(origin, '\n', typed).subarray(0, 4);
    this.vkey = `${origin}+${this.keyId.toString('hex')}+${base64(typed)}`;
  }

  append({ account, stream, body }: LoggedEvent): this {
    const before = this.logged.findLast((one) => one.account === account);
    const seq = before ? before.seq + 1 : 0;
    const revision = this.logged.filter((one) => one.stream === stream).length;
    const text = body ?? bodyOf(stream, revision, this.logged.length);
    const prev = before ? base64(before.hash) : '-';
    const entry = `rps1 ${account} ${seq} ${prev} ${stream} ${revision} ${base64(sha256(text))}`;
    const leaf = this.logged.length;
    this.logged.push({ account, stream, seq, revision, leaf, entry, hash: sha256('\0', entry), body: text });
    return this;
  }

  /** `MTH` of RFC 6962, 2.1. */
  root(from = 0, to = this.logged.length): Buffer {
    if (to - from === 1) return this.logged[from]!.hash;
    const middle = from + splitOf(to - from);
    return sha256('\x01', this.root(from, middle), this.root(middle, to));
  }

  /** `PATH` of RFC 6962, 2.1.1. */
  inclusion(leaf: number, from: number, to: number): Buffer[] {
    if (to - from === 1) return [];
    const middle = from + splitOf(to - from);
    return leaf < middle
      ? [...this.inclusion(leaf, from, middle), this.root(middle, to)]
      : [...this.inclusion(leaf, middle, to), this.root(from, middle)];
  }

  /** `SUBPROOF` of RFC 6962, 2.1.2. */
  consistency(old: number, from: number, to: number, isWhole = true): Buffer[] {
    if (old === to) return isWhole ? [] : [this.root(from, to)];
    const middle = from + splitOf(to - from);
    return old <= middle
      ? [...this.consistency(old, from, middle, isWhole), this.root(middle, to)]
      : [...this.consistency(old, middle, to, false), this.root(from, middle)];
  }

  note(text: string): string {
    const signature = Buffer.concat([this.keyId, sign(null, Buffer.from(text), this.key)]);
    return `${text}\n— ${this.origin} ${base64(signature)}\n`;
  }

  checkpoint(size = this.logged.length): string {
    return this.note(`${this.origin}\n${size}\n${base64(this.root(0, size))}\n`);
  }

  head(subject: string, last: Logged, size = this.logged.length, digest = '-'): string {
    const lines = [`rps-head1 ${this.origin}`, subject, base64(last.hash), size];
    return this.note(`${lines.join('\n')}\n${base64(this.root(0, size))}\n${digest}\n`);
  }

  /** The proof file of an account, or of its entries from `first` to `last`. */
  account(id: string, part: Part & { readonly first?: number; readonly last?: number } = {}): string {
    const all = this.upTo(part).filter((one) => one.account === id);
    const { first = 0, last = all.length - 1 } = part;
    const shown = all.slice(first, last + 1);
    const proved = [
      shown.at(-1)!,
      ...(part.since ?? []).map((size) => shown.findLast(({ leaf }) => leaf < size)),
    ];
    return this.file(`account ${id} ${first} ${last} ${all.length}`, shown, part, (one) =>
      proved.includes(one),
    );
  }

  stream(name: string, part: Part = {}): string {
    const all = this.upTo(part).filter((one) => one.stream === name);
    return this.file(`stream ${name} 0 ${all.length - 1} ${all.length}`, all, part, () => true);
  }

  /** The same file, signed again by a forger who has the key. */
  signedAgain(file: string): string {
    const at = file.lastIndexOf('\nrps-head1 ') + 1;
    const [text] = file.slice(at).split('\n\n');
    const digest = base64(sha256(file.slice(0, at)));
    return file.slice(0, at) + this.note(`${text!.split('\n').slice(0, -1).join('\n')}\n${digest}\n`);
  }

  private upTo({ size }: Part): readonly Logged[] {
    return this.logged.slice(0, size);
  }

  private file(
    subject: string,
    shown: readonly Logged[],
    part: Part,
    isProved: (one: Logged) => boolean,
  ): string {
    const { size = this.logged.length, since = [], withheld = () => false } = part;
    const words = (path: readonly Buffer[]) => path.map((hash) => ` ${base64(hash)}`).join('');
    const lines = shown.flatMap((one) => [
      `entry ${one.entry}`,
      ...(withheld(one) ? [] : [`body ${one.body}`]),
      ...(isProved(one) ? [`proof ${one.leaf}${words(this.inclusion(one.leaf, 0, size))}`] : []),
    ]);
    const leading = since.map((old) => `consistency ${old}${words(this.consistency(old, 0, size))}`);
    const signed = [`rps-evidence/1 ${subject}`, ...lines, ...leading, '', this.checkpoint(size), ''].join(
      '\n',
    );
    return signed + this.head(subject, shown.at(-1)!, size, base64(sha256(signed)));
  }
}

/** The largest power of two below a size. */
const splitOf = (size: number) => 2 ** Math.floor(Math.log2(size - 1));

function bodyOf(stream: string, revision: number, second: number): string {
  const at = new Date(Date.UTC(2026, 0, 1) + second * 3_600_000).toISOString();
  const data = { of: stream, note: `Ä “${revision}”` };
  return JSON.stringify({ id: `${stream}/${revision}`, type: 'Tested', data, metadata: { at } });
}
