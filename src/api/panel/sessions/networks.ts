import type { FastifyRequest } from 'fastify';
import { isIPv6 } from 'node:net';
import { hideCredentials } from '../../../kernel/credential.js';

/** The networks by which a source address counts. */
export interface Networks {
  /** The IPv4 address itself; of an IPv6 address its network of 64 bits, in which a customer has any address. */
  readonly address: string;
  /** The network of 48 bits of an IPv6 address. */
  readonly site?: string;
}

/** @param source as the socket or a trusted proxy names it */
export function networksOf(source: string): Networks {
  const address = source.toLowerCase().replace(/^::ffff:(?=[\d.]+$)/, '');
  if (!isIPv6(address)) return { address };
  const [left = [], right = []] = address
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const groups = [...left, ...zeros, ...right].map((group) => parseInt(group, 16).toString(16));
  const prefix = (count: number) => `${groups.slice(0, count).join(':')}::/${16 * count}`;
  return { address: prefix(4), site: prefix(3) };
}

/** Longer ones are cut: events keep them for ever. */
const MAX_CLIENT_TEXT = 200;

/** Without characters that could disturb a terminal, and without anything shaped like a credential. */
const plain = (text: string) => hideCredentials(text).replace(/\p{C}/gu, '').slice(0, MAX_CLIENT_TEXT);

export function clientOf({ ip, headers: { 'user-agent': userAgent } }: FastifyRequest) {
  return { address: plain(ip), ...(userAgent && { userAgent: plain(userAgent) }) };
}

export const viaOf = (request: FastifyRequest) => ({
  correlationId: request.correlationId!,
  requestId: request.id,
});
