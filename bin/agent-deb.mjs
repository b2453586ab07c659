import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleAgent, sizeOf } from './agent-bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Files of the repository: place in the package and mode. */
const FILES = [
  ['bin/agent-deb/rps-agent', 'usr/bin/rps-agent', 0o755],
  ['bin/agent-deb/rps-agent.service', 'usr/lib/systemd/system/rps-agent.service', 0o644],
  ['bin/agent-deb/agent.env', 'etc/rps-agent/agent.env', 0o640],
  ['LICENSE', 'usr/share/doc/rps-agent/copyright', 0o644],
  ...['postinst', 'prerm', 'postrm'].map((name) => [`bin/agent-deb/${name}`, `DEBIAN/${name}`, 0o755]),
];

const control = (version, bytes) => `Package: rps-agent
Version: ${version}
Architecture: all
Maintainer: Remote Printing Service <rps@localhost>
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: nodejs (>= 20.19), adduser
Recommends: cups, ca-certificates
Section: net
Priority: optional
Description: Agent of the Remote Printing Service
 Prints the jobs of a remote printing service on the printers of this computer.
`;

/** Makes a package for Debian and Ubuntu; resolves to the bytes that it takes on a computer. */
export async function makeDeb(target, version) {
  const folder = `${target}.folder`;
  rmSync(folder, { recursive: true, force: true });
  process.umask(0o022);
  await bundleAgent(path.join(folder, 'usr/lib/rps-agent'), ['@hyzyla/pdfium', '@fontsource/dejavu-mono']);
  const bytes = sizeOf(folder);
  for (const [source, place, mode] of FILES) {
    const file = path.join(folder, place);
    mkdirSync(path.dirname(file), { recursive: true });
    copyFileSync(path.join(root, source), file);
    chmodSync(file, mode);
  }
  writeFileSync(path.join(folder, 'DEBIAN/control'), control(version, bytes));
  writeFileSync(path.join(folder, 'DEBIAN/conffiles'), '/etc/rps-agent/agent.env\n');
  const build = ['--root-owner-group', '-Zxz', '--build', folder, `${target}.part`];
  execFileSync('dpkg-deb', build, { stdio: ['ignore', 'ignore', 2] });
  renameSync(`${target}.part`, target);
  rmSync(folder, { recursive: true });
  return bytes;
}
