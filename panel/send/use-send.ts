import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { CreatePrintJobBody } from '../../sdk/src/generated/integration.js';
import { useChange } from '../api/reads.js';

/** Creates a job and opens its page. */
export function useSend() {
  const [, navigate] = useLocation();
  const [problem, setProblem] = useState<Error>();
  const tried = useRef<{ readonly body: string; readonly key: string }>(undefined);
  const create = useChange('createPrintJob', 'jobs', 'overview');
  const test = useChange('testPrinter', 'jobs', 'overview');
  const open = ({ job_id }: { readonly job_id: string }) => navigate(`/jobs/${job_id}`);

  /** The same document again, perhaps because an answer was lost, keeps its key: it is printed once. */
  const keyFor = (body: CreatePrintJobBody): string => {
    const text = JSON.stringify(body);
    if (tried.current?.body !== text) tried.current = { body: text, key: crypto.randomUUID() };
    return tried.current.key;
  };
  const send = (makeBody: () => CreatePrintJobBody) => {
    setProblem(undefined);
    try {
      const body = makeBody();
      create.mutate({ body, idempotencyKey: keyFor(body) }, { onSuccess: open });
    } catch (error) {
      setProblem(error as Error);
    }
  };
  const printTestPage = (printer_id: string) => test.mutate({ params: { printer_id } }, { onSuccess: open });
  return {
    send,
    printTestPage,
    isBusy: create.isPending || test.isPending,
    errors: [problem, create.error, test.error].filter((error) => error instanceof Error),
  };
}
