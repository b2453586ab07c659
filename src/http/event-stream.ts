/** Headers of server-sent events. */
export const EVENT_STREAM = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };

/** Keeps proxies from closing a quiet connection. */
export const COMMENT = ': still here\n\n';
