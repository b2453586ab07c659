import { controller } from '../partner/jobs.controller.js';
export const resource = controller;
