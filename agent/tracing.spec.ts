import { pino } from 'pino';
import { openTracing } from './tracing.js';

describe('a collector that is not an http(s) URL', () => {
  it.each(['collector:4317', '127.0.0.1:4317', 'https://'])(
    '(%s) is left out with a warning',
    async (collector) => {
      const lines: string[] = [];
      const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });

      expect(await openTracing({ traces: { collector, name: 'agent' } }, log)).toBeUndefined();
      expect(lines).toEqual([expect.stringContaining('OTEL_EXPORTER_OTLP_ENDPOINT')]);
      expect(JSON.parse(lines[0]!)).toMatchObject({ collector });
    },
  );
});
