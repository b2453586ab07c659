import { apply } from '../../../projections/job-view/job-view.projection.js';
export const controller = apply;
