import {
  keepPreviousData,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from '@tanstack/react-query';
import { call, CallError, type Call, type DataOf, type OperationName } from './client.js';

/** What a change of one of these resources makes old. The first part of each key of the cache. */
export type Area =
  | 'jobs'
  | 'queue'
  | 'computers'
  | 'printers'
  | 'webhooks'
  | 'deliveries'
  | 'missed'
  | 'overview'
  | 'activity'
  | 'keys'
  | 'members'
  | 'audit'
  | 'evidence'
  | 'sessions'
  | 'service'
  | 'stream'
  | 'accounts'
  | 'partners';

/**
 * Problems of the connection are tried again; answers of the service are shown. Whether the browser believes to be
 * online is no matter: the service may run on this machine, and a paused change must not be sent later by itself.
 */
export const newQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) =>
          failures < 2 && (!(error instanceof CallError) || error.status === 0 || error.status >= 502),
        retryDelay: 500,
        networkMode: 'always',
        refetchOnWindowFocus: false,
        staleTime: 1_000,
      },
      mutations: { networkMode: 'always' },
    },
  });

const AGAIN_MS = 60_000;

/** For numbers that nothing makes old but time; while others are read, the ones before stay. */
export const RECENT = { refetchInterval: AGAIN_MS, placeholderData: keepPreviousData } as const;

/** Reads an operation; `area` says which changes make it old. */
export function useRead<N extends OperationName>(
  area: Area,
  name: N,
  given: Omit<Call<N>, 'body' | 'signal'> & { readonly body?: Call<N>['body'] } = {},
  options: Partial<UseQueryOptions<DataOf<N>, Error>> = {},
) {
  return useQuery<DataOf<N>, Error>({
    queryKey: [area, name, given],
    queryFn: ({ signal }) => call(name, { ...given, signal }),
    ...options,
  });
}

/** Calls an operation that changes something, and makes these areas old, also the audit and the queue of a printer. */
export function useChange<N extends OperationName>(name: N, ...areas: readonly Area[]) {
  const client = useQueryClient();
  return useMutation<DataOf<N>, Error, Call<N>>({
    mutationFn: (given) => call(name, given),
    onSuccess: async () => {
      await Promise.all(
        [...areas, 'audit' as const, 'queue' as const].map((area) =>
          client.invalidateQueries({ queryKey: [area] }),
        ),
      );
    },
  });
}
