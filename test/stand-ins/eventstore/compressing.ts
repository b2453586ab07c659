import type { ServerHttp2Stream } from 'node:http2';
import { gzipSync } from 'node:zlib';

/** Flag and length of a message. source: gRPC over HTTP/2, Length-Prefixed-Message */
const PREFIX = 5;

/** Every message of this call is compressed; grpc-js cannot do it, and writes each with one `write`. */
export function compress(stream: ServerHttp2Stream): void {
  const respond = stream.respond.bind(stream);
  const write = stream.write.bind(stream) as (
    chunk: Buffer,
    done?: (error?: Error | null) => void,
  ) => boolean;
  stream.respond = (headers, options) => respond({ ...headers, 'grpc-encoding': 'gzip' }, options);
  stream.write = ((message: Buffer, done?: (error?: Error | null) => void) =>
    write(compressed(message), done)) as typeof stream.write;
}

function compressed(message: Buffer): Buffer {
  const body = gzipSync(message.subarray(PREFIX), { level: 1 });
  const prefix = Buffer.alloc(PREFIX);
  prefix.writeUInt8(1, 0);
  prefix.writeUInt32BE(body.length, 1);
  return Buffer.concat([prefix, body]);
}
