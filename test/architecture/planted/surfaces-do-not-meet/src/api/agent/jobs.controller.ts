import { resource } from '../resources/job.resource.js';
export const controller = resource;
