import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Test certificate authority, using OpenSSL. */
export class CertificateAuthority {
  private readonly folder = mkdtempSync(join(tmpdir(), 'svc-ca-'));

  constructor() {
    this.openssl(
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test-authority',
      {
        keyout: 'ca.key',
        out: 'ca.pem',
      },
    );
  }

  /** Authority certificate in PEM. */
  get ca(): string {
    return this.read('ca.pem');
  }

  /** Issues a certificate for this name; `expired`: since yesterday. */
  issue(name: string, { expired = false } = {}): Certificate {
    this.openssl(`req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=${name}`, {
      keyout: 'leaf.key',
      out: 'leaf.csr',
    });
    writeFileSync(join(this.folder, 'ext'), `subjectAltName=DNS:${name}\n`);
    const days = expired ? -1 : 2;
    this.openssl(`x509 -req -in leaf.csr -CA ca.pem -CAkey ca.key -extfile ext -days ${days}`, {
      out: 'leaf.pem',
    });
    return { key: this.read('leaf.key'), cert: this.read('leaf.pem') };
  }

  /** Issues a self-signed certificate. */
  selfSigned(name: string): Certificate {
    const subject = `-subj /CN=${name} -addext subjectAltName=DNS:${name}`;
    this.openssl(`req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 ${subject}`, {
      keyout: 'self.key',
      out: 'self.pem',
    });
    return { key: this.read('self.key'), cert: this.read('self.pem') };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private openssl(command: string, files: Record<string, string>): void {
    const outputs = Object.entries(files).flatMap(([option, file]) => [`-${option}`, file]);
    execFileSync('openssl', [...command.split(' '), ...outputs], { cwd: this.folder, stdio: 'pipe' });
  }

  private read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }
}
