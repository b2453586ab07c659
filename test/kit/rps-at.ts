import { rps } from '../../src/cli/program.js';
import type { TestService } from './service.js';

/** Runs a command line against a service; resolves to its output and exit code. */
export async function rpsAt(
  service: Pick<TestService, 'url' | 'config'>,
  words: readonly string[],
  input?: string,
) {
  let out = '';
  let err = '';
  const code = await rps(['--url', service.url, '--data-dir', service.config.dataDir, ...words], {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    ...(input !== undefined && { in: piecesOf(input) }),
  });
  return { code, out, err };
}

/** Chunks as from a pipe, cut anywhere. */
async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 1_001) yield bytes.subarray(at, at + 1_001);
}

/** What a command prints, which must succeed. */
export async function dataAt(
  service: TestService,
  words: readonly string[],
): Promise<Record<string, unknown>> {
  const { code, out, err } = await rpsAt(service, words);
  if (code !== 0) throw new Error(`rps ${words.join(' ')}: ${code} ${err}`);
  return JSON.parse(out) as Record<string, unknown>;
}
