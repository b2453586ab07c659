import { cancel } from '../../contexts/jobs/domain/job.commands.js';
export const controller = cancel;
