import type { JobEvent } from '../../contexts/jobs/domain/job.events.js';
export const typeOf = (event: JobEvent) => event.type;
