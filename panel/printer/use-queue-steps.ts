import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { MoveBody } from '../../sdk/src/generated/panel.js';
import { call } from '../api/client.js';

interface Steps {
  readonly done: number;
  readonly left: number;
}

/** Clears or moves a queue to its end: one request decides at most 1,000 jobs. */
export function useQueueSteps(name: 'clearPrinterQueue' | 'movePrinterQueue', printer_id: string) {
  const client = useQueryClient();
  return useMutation<Steps, Error, Partial<MoveBody>>({
    mutationFn: async (body) => {
      const steps = { done: 0, left: 0 };
      let cursor: string | null | undefined;
      do {
        const next = { ...body, ...(cursor && { cursor }) } as MoveBody;
        const step = await call(name, { params: { printer_id }, body: next });
        steps.done += step.done;
        steps.left += step.left;
        cursor = step.next_cursor;
      } while (cursor);
      return steps;
    },
    onSettled: () =>
      Promise.all(
        ['jobs', 'printers', 'overview', 'audit'].map((area) =>
          client.invalidateQueries({ queryKey: [area] }),
        ),
      ),
  });
}
