import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExitCode } from '../exit-codes.js';
import { StateFolder, type Protection } from './state-folder.js';

const credential = { computer_id: 'c1', friendly_code: 'AB-12', device_credential: 'svc_device_secret' };
/** Readable by its own kind only. */
const reversed = (text: string): string => [...text].reverse().join('');
const failing = (): never => {
  throw new Error('CryptUnprotectData failed with Windows error 13');
};
const protection: Protection = { protect: reversed, unprotect: reversed };

describe('storing the credential', () => {
  let folder: string;
  const file = (): string => join(folder, 'credential.json');
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'state-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('keeps it in a file that only its owner can read', async () => {
    const state = await StateFolder.open(folder);
    await state.storeCredential(credential);

    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect(await state.credential()).toEqual(credential);
  });

  it('writes only the protected secret where the system can protect it', async () => {
    const state = await StateFolder.open(folder, protection);
    await state.storeCredential(credential);

    expect(await readFile(file(), 'utf8')).not.toContain(credential.device_credential);
    expect(await state.credential()).toEqual(credential);
  });

  it('protects the readable credential of an older Agent when it reads it', async () => {
    await writeFile(file(), JSON.stringify(credential));
    const state = await StateFolder.open(folder, protection);

    expect(await state.credential()).toEqual(credential);
    expect(await readFile(file(), 'utf8')).not.toContain(credential.device_credential);
    expect(await state.credential()).toEqual(credential);
  });

  it.each<[string, Protection | undefined]>([
    ['a system without protection', undefined],
    ['another computer', { protect: reversed, unprotect: failing }],
  ])('asks for a new token on %s', async (_, other) => {
    await (await StateFolder.open(folder, protection)).storeCredential(credential);
    const state = await StateFolder.open(folder, other);

    await expect(state.credential()).rejects.toMatchObject({
      exitCode: ExitCode.refused,
      message: expect.stringContaining('cannot be decrypted on this computer: give a new --token'),
    });
  });
});
