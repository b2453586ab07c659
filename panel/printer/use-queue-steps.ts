import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MoveBody } from '../../sdk/src/generated/panel.js';
import { call } from '../api/client.js';

export interface Steps {
  readonly done: number;
  readonly left: number;
}

/** Clears or moves a queue to its end: one request decides at most 1,000 jobs. `done` counts also before an error. */
export function useQueueSteps(name: 'clearPrinterQueue' | 'movePrinterQueue', printer_id: string) {
  const client = useQueryClient();
  const [done, setDone] = useState(0);
  const steps = useMutation<Steps, Error, Partial<MoveBody>>({
    mutationFn: async (body) => {
      const counts = { done, left: 0 };
      let cursor: string | null | undefined;
      do {
        const next = { ...body, ...(cursor && { cursor }) } as MoveBody;
        const step = await call(name, { params: { printer_id }, body: next });
        counts.done += step.done;
        counts.left += step.left;
        setDone(counts.done);
        cursor = step.next_cursor;
      } while (cursor);
      return counts;
    },
    onSettled: () =>
      Promise.all(
        ['jobs', 'printers', 'queue', 'overview', 'audit'].map((area) =>
          client.invalidateQueries({ queryKey: [area] }),
        ),
      ),
  });
  return { ...steps, done };
}
