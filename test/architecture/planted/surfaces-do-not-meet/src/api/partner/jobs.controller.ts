import { show } from '../integration/job.presenter.js';
export const controller = show;
