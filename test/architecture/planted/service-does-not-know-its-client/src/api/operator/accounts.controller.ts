import { commands } from '../../cli/commands.js';
export const routes = commands;
