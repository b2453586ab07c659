import { isIP } from 'node:net';

/** @throws Error with the rule, which follows the name */
export type Read<T> = (value: string) => T;

export function count(min: number, max: number): Read<number> {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`);
    }
    return number;
  };
}

/** Fractions allowed. @param unit default: milliseconds */
export function seconds(min: number, max: number, unit = 1000): Read<number> {
  return (value) => {
    const number = Number(value);
    if (!/^\d+(\.\d+)?$/.test(value) || number < min || number > max) {
      throw new Error(`must be a number from ${min} to ${max}`);
    }
    return number * unit;
  };
}

const MAX_DELAY_SECONDS = 30 * 86_400;

export const secondsList: Read<readonly number[]> = (value) => {
  const parts = value.split(',');
  if (parts.length > 20) throw new Error('must name at most 20 delays');
  try {
    return parts.map((part) => seconds(0.001, MAX_DELAY_SECONDS)(part.trim()));
  } catch {
    throw new Error(`must be numbers from 0.001 to ${MAX_DELAY_SECONDS}, separated by commas`);
  }
};

export const boolean: Read<boolean> = (value) => {
  if (value !== 'true' && value !== 'false') throw new Error('must be true or false');
  return value === 'true';
};

export function choice<T extends string>(...allowed: T[]): Read<T> {
  return (value) => {
    const found = allowed.find((one) => one === value);
    if (!found) throw new Error(`must be one of ${allowed.join(', ')}`);
    return found;
  };
}

export const bytes32: Read<Buffer> = (value) => {
  const key = Buffer.from(value, 'base64');
  if (key.length !== 32 || key.toString('base64') !== value) throw new Error('must be 32 bytes in base64');
  if (key.every((byte) => byte === key[0])) throw new Error('must be random, not one byte repeated');
  return key;
};

const MAX_PUBLIC_KEYS = 8;

/** Ed25519 keys as the `x` of a JSON Web Key. */
export const publicKeys: Read<readonly Buffer[]> = (value) => {
  const keys = value.split(',').map((part) => part.trim());
  const isKey = (text: string) => Buffer.from(text, 'base64url').length === 32 && /^[\w-]{43}$/.test(text);
  if (keys.length > MAX_PUBLIC_KEYS || !keys.every(isKey))
    throw new Error(`must be up to ${MAX_PUBLIC_KEYS} values "x" of jwks.json, separated by commas`);
  return keys.map((key) => Buffer.from(key, 'base64url'));
};

export function url(...protocols: string[]): Read<string | undefined> {
  return (value) => {
    const scheme = `${value.split('://')[0]}:`;
    // Checks only the scheme, because connection strings with several hosts are no WHATWG URLs.
    if (!value.includes('://') || !protocols.includes(scheme)) {
      throw new Error(`must be a URL starting with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    }
    return value.replace(/\/$/, '');
  };
}

/** Without the `/v1` of the surfaces, which other settings of an address may have too. */
export const publicAddress: Read<string> = (value) => {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = parsed && !/[?#]/.test(value) && !parsed.username && !parsed.password;
  if (!isPlain || !/^https?:\/\//.test(value))
    throw new Error('must be the address of the service and nothing else, as https://print.example.com');
  const { origin, pathname } = parsed;
  const path = pathname.replace(/\/$/, '');
  return origin + (path.endsWith('/v1') ? path.slice(0, -'/v1'.length) : path);
};

const smtp = url('smtp:', 'smtps:');

/** The library ignores options that it does not know, and with a misspelt one mail would go unencrypted. */
export const mailServer: Read<string | undefined> = (value) => {
  const address = smtp(value)!;
  if (!URL.canParse(value) || !new URL(value).hostname)
    throw new Error('must be the address of a mail server, as smtps://mail.example.com');
  const unknown = [...new URL(address).searchParams.keys()].find(
    (name) => !/^(requireTLS|name|tls\..+)$/.test(name),
  );
  if (unknown !== undefined)
    throw new Error(`must have no option but requireTLS, name and those of tls; ${unknown} is another`);
  return address;
};

export const mailAddress: Read<string> = (value) => {
  if (!/^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value))
    throw new Error('must be an address such as print@example.com, or Printing <print@example.com>');
  return value;
};

export const networks = list(isNetwork, 'IP addresses or CIDR ranges');

/** The last label begins with a letter, which no spelling of an address does; or `*.` and a name. */
const NAME = /^(\*\.)?([a-z\d_-]+\.)*[a-z][a-z\d_-]*$/;

export const networksAndNames = list(
  (part) => isNetwork(part) || NAME.test(part),
  'IP addresses, CIDR ranges, or host names such as hooks.example.internal or *.example.internal',
);

function list(isPart: (part: string) => boolean, parts: string): Read<readonly string[]> {
  return (value) => {
    const found = value.split(',').map((part) => part.trim().toLowerCase());
    if (!found.every(isPart)) throw new Error(`must be ${parts}, separated by commas`);
    return found;
  };
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}
