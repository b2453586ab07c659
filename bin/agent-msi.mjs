import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const TEMPLATE = new URL('agent-msi/product.wxs', import.meta.url);

/** By which Windows Installer finds older versions: never change it. */
const UPGRADE_CODE = '8F1B6A0E-5D0B-4C56-9A57-3C2C1E0B7D41';

/** Types of custom actions (Windows Installer, "Summary List of All Custom Action Types"). */
const SET_PROPERTY = 51;
const RUN_FILE = 18;
const RUN_IN_FOLDER = 34;
const DEFERRED = 0x400;
const ON_ROLLBACK = 0x100;
const AS_SYSTEM = 0x800;
const IGNORE_RESULT = 0x40;
const HIDE_TARGET = 0x2000;
const AGENT = '--use-system-ca "[INSTALLDIR]app\\agent\\main.js"';
const STAYS = 'NOT REMOVE~="ALL" AND (URL OR SERVICE)';
const GOES = 'REMOVE~="ALL" AND NOT UPGRADINGPRODUCTCODE';

/**
 * Name, type, source, target, condition and place of the actions. The Agent itself makes, renews and removes its
 * service. If it cannot, the rollback stops what it started before the files go, and starts the older version.
 */
const ACTIONS = [
  ['SetAddress', SET_PROPERTY, 'ARGUMENTS', '--url "[URL]"', 'URL', 1010],
  ['SetToken', SET_PROPERTY, 'ARGUMENTS', '[ARGUMENTS] --token "[TOKEN]"', 'URL AND TOKEN', 1011],
  ['SetOptions', SET_PROPERTY, 'ARGUMENTS', '[ARGUMENTS] [OPTIONS]', 'URL AND OPTIONS', 1012],
  ['SetPurge', SET_PROPERTY, 'REMOVAL', '--purge', 'PURGE=1', 1013],
  [
    ...[
      'RestartService',
      RUN_IN_FOLDER | DEFERRED | ON_ROLLBACK | AS_SYSTEM | IGNORE_RESULT,
      'System64Folder',
    ],
    ...['"[System64Folder]net.exe" start RemotePrintingAgent', 'SERVICE', 1505],
  ],
  [
    ...['RemoveService', RUN_FILE | DEFERRED | AS_SYSTEM | IGNORE_RESULT, 'node.exe'],
    ...[`${AGENT} uninstall [REMOVAL]`, GOES, 3400],
  ],
  [
    ...['StopService', RUN_FILE | DEFERRED | ON_ROLLBACK | AS_SYSTEM | IGNORE_RESULT, 'nssm.exe'],
    ...['stop RemotePrintingAgent', STAYS, 4010],
  ],
  [
    ...['InstallService', RUN_FILE | DEFERRED | AS_SYSTEM | HIDE_TARGET, 'node.exe'],
    ...[`${AGENT} install [ARGUMENTS]`, STAYS, 4020],
  ],
];

/** Attributes of a row of Upgrade: both ends of the range belong to it, so that a version also replaces itself. */
const INCLUSIVE = 0x300;
const PUBLIC = 'OLDER;NEWER;URL;TOKEN;OPTIONS;PURGE';

const insert = (table, row) => {
  const columns = Object.keys(row).map((column) => `\`${column}\``);
  const values = Object.values(row).map((value) => (typeof value === 'string' ? `'${value}'` : value));
  return `INSERT INTO \`${table}\` (${columns.join(', ')}) VALUES (${values.join(', ')})`;
};

const queries = (version) => [
  ...ACTIONS.flatMap(([Action, Type, Source, Target, Condition, Sequence]) => [
    insert('CustomAction', { Action, Type, Source, Target }),
    insert('InstallExecuteSequence', { Action, Condition, Sequence }),
  ]),
  insert('Upgrade', {
    ...{ UpgradeCode: `{${UPGRADE_CODE}}`, VersionMin: '0.0.0', VersionMax: version },
    ...{ Attributes: INCLUSIVE, ActionProperty: 'OLDER' },
  }),
  // Within the transaction, so that a failed installation brings the older version back.
  "UPDATE `InstallExecuteSequence` SET `Sequence` = 1510 WHERE `Action` = 'RemoveExistingProducts'",
  `UPDATE \`Property\` SET \`Value\` = '${PUBLIC}' WHERE \`Property\` = 'SecureCustomProperties'`,
];

/** Makes an MSI of the folder with Debian's msitools. */
export function makeMsi(folder, version, target) {
  const part = `${target}.part`;
  const source = `${target}.wxs`;
  const { files, references } = filesOf(folder);
  const values = { version, upgradeCode: UPGRADE_CODE, files, references: references.join('\n      ') };
  const text = readFileSync(TEMPLATE, 'utf8').replaceAll(/\{(\w+)\}/g, (_, name) => values[name]);
  writeFileSync(source, text);
  // wixl finds files below its folder only.
  const run = (program, ...args) => execFileSync(program, args, { cwd: folder, stdio: ['ignore', 2, 2] });
  run('wixl', '--arch', 'x64', '--output', part, source);
  run('msibuild', part, ...queries(version).flatMap((query) => ['-q', query]));
  rmSync(source);
  sign(part);
  renameSync(part, target);
}

/** Signs a file if AGENT_SIGN has the arguments that `osslsigncode sign` takes for certificate, key and time stamp. */
export function sign(file) {
  const args = process.env.AGENT_SIGN?.trim().split(/\s+/);
  if (!args?.[0]) return;
  const signed = `${file}.signed`;
  const names = ['-n', 'Remote Printing Agent', '-h', 'sha256'];
  execFileSync('osslsigncode', ['sign', ...names, ...args, '-in', file, '-out', signed], {
    stdio: ['ignore', 2, 2],
  });
  renameSync(signed, file);
}

/** The first file of a package controls the service: Windows Installer stops it before it replaces files. */
const STOP = '<ServiceControl Id="Stop" Name="RemotePrintingAgent" Stop="both" Wait="yes" />';

/** Ids come from the paths, so that a file has the same component in each version. */
function filesOf(folder, place = '') {
  const references = [];
  const elements = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const source = path.join(folder, entry.name);
    const name = place + entry.name;
    const id = `p${createHash('sha1').update(name).digest('hex').slice(0, 16)}`;
    if (entry.isDirectory()) {
      const inside = filesOf(source, `${name}/`);
      references.push(...inside.references);
      return `<Directory Id="${id}" Name="${entry.name}">${inside.files}</Directory>`;
    }
    references.push(`<ComponentRef Id="${id}" />`);
    const file = `<File Id="${name.endsWith('.exe') ? name : `f${id}`}" Source="${name}" KeyPath="yes" />`;
    return `<Component Id="${id}" Guid="*" Win64="yes">${file}${name === 'node.exe' ? STOP : ''}</Component>`;
  });
  return { files: elements.join('\n'), references };
}
