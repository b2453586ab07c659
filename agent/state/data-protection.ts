import koffi from 'koffi';

koffi.struct('DATA_BLOB', { size: 'uint32_t', data: 'uint8_t *' });
const crypt32 = koffi.load('crypt32.dll');
const kernel32 = koffi.load('kernel32.dll');
const signature = (name: string) =>
  `int __stdcall ${name}(DATA_BLOB *input, void *description, void *entropy, void *reserved, void *prompt, uint32_t flags, _Out_ DATA_BLOB *output)`;
const protectData = crypt32.func(signature('CryptProtectData'));
const unprotectData = crypt32.func(signature('CryptUnprotectData'));
const localFree = kernel32.func('void *__stdcall LocalFree(void *memory)');
const lastError = kernel32.func('uint32_t __stdcall GetLastError()');

/** CRYPTPROTECT_UI_FORBIDDEN: a service has nobody to ask. */
const NO_DIALOG = 1;
/** CRYPTPROTECT_LOCAL_MACHINE: whoever installs the Agent is not the account that runs it. */
const THIS_COMPUTER = 4;

interface Blob {
  readonly size: number;
  readonly data: unknown;
}

/** Encrypts a text so that only this computer can read it. @throws Error with the number of the Windows error */
export function protect(text: string): string {
  return called(protectData, Buffer.from(text), 'CryptProtectData').toString('base64');
}

/** Reads what `protect` wrote on this computer. @throws Error with the number of the Windows error */
export function unprotect(protectedText: string): string {
  return called(unprotectData, Buffer.from(protectedText, 'base64'), 'CryptUnprotectData').toString();
}

function called(call: koffi.KoffiFunction, input: Buffer, name: string): Buffer {
  const output: Partial<Blob> = {};
  const done = call(
    { size: input.length, data: input },
    null,
    null,
    null,
    null,
    NO_DIALOG | THIS_COMPUTER,
    output,
  );
  if (!done) throw new Error(`${name} failed with Windows error ${lastError()}`);
  const { size, data } = output as Blob;
  const bytes = Buffer.from(koffi.decode(data, koffi.array('uint8_t', size)) as number[]);
  localFree(data);
  return bytes;
}
