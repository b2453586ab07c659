import { randomUUID } from 'node:crypto';
import type { Scenario, Step } from '../kit/crash-points.js';
import { creates, jobOf, leases } from '../kit/steps.js';
import { eventually } from '../../../kit/polling.js';
import { sessionOf, type World } from '../kit/world.js';
import { onePrinter } from '../../../kit/world.js';

/**
 * The operator surface has no keys: after a lost answer another token is created, and the first stays unused.
 */
const issuesToken: Step = {
  name: 'create an enrolment token',
  async run(world) {
    const { enrollment_token } = await world.operate(
      'POST',
      `/accounts/${world.seed.accountId}/enrollments`,
      {},
    );
    world.memory.set('token', enrollment_token);
  },
};

const installation = (world: World) => world.remembered('installation', randomUUID);

/** Redeeming consumes the token even if its answer is lost; the installation then enrols with a new one. */
const enrols: Step = {
  name: 'enrol',
  async run(world) {
    const enrollment_token = world.remembered('token', () => '');
    const json = { enrollment_token, installation_id: installation(world), hostname: 'BACK-OFFICE' };
    const enrolled = await world.call('POST', '/managed/enroll', { json });
    if (enrolled.status === 401) {
      const joined = (await world.events()).filter(({ type }) => type === 'ComputerRegistered');
      expect(joined).toHaveLength(2);
      await issuesToken.run(world);
      return enrols.run(world);
    }
    expect(enrolled.status).toBe(200);
    const { device_id, device_credential } = enrolled.body.data as Record<string, string>;
    world.memory.set('computer', device_id);
    world.memory.set('credential', device_credential);
    world.acknowledge(`computer-${device_id}`, 'ComputerRegistered');
  },
};

const asNewComputer = (world: World, method: string, path: string, json: object) =>
  world.call(method, `/agent${path}`, { as: world.remembered('credential', () => ''), json });

const starts: Step = {
  name: 'start a session',
  async run(world) {
    const started = await asNewComputer(world, 'POST', '/sessions', sessionOf(installation(world)));
    expect(started.status).toBe(200);
    world.acknowledge(`computer-${world.remembered('computer', () => '')}`, 'AgentSessionStarted');
  },
};

const showsPrinters: Step = {
  name: 'report the inventory',
  async run(world) {
    const printers = [
      onePrinter,
      { ...onePrinter, printer_key: 'till-2', name: 'Till 2', is_default: false },
    ];
    const shown = await asNewComputer(world, 'PUT', '/inventory', { printers });
    expect(shown.status).toBe(200);
    const ids = (shown.body.data!.printers as { printer_id: string }[]).map(({ printer_id }) => printer_id);
    expect(world.remembered('printers', () => ids)).toEqual(ids);
    world.acknowledge(`computer-${world.remembered('computer', () => '')}`, 'PrinterDetected');
  },
};

export const newComputer: Scenario = {
  name: 'a computer that joins',
  steps: [issuesToken, enrols, starts, showsPrinters],
  async outcome(world) {
    await showsPrinters.run(world);
    const { body } = await world.asClient('GET', '/svc-api-computers');
    expect((body.data!.items as unknown[]).length).toBe(2);
    const events = await world.events();
    const ofInstallation = events.filter(({ type }) => type === 'ComputerRegistered');
    expect(ofInstallation).toHaveLength(2);
    expect(events.filter(({ type }) => type === 'PrinterDetected')).toHaveLength(3);
  },
};

const closes: Step = {
  name: 'close the account',
  async run(world) {
    await world.operate('POST', `/accounts/${world.seed.accountId}/close`);
    world.acknowledge(`account-${world.seed.accountId}`, 'AccountClosed');
  },
};

const CLOSED_JOBS = ['one', 'two', 'three'];

/** Done by a process of the service, some time after the answer. */
const endsJobs: Step = {
  name: 'wait for the jobs to end',
  async run(world) {
    for (const name of CLOSED_JOBS) {
      const stream = `job-${jobOf(world, name)}`;
      await eventually(`the end of ${name}`, async () =>
        (await world.typesOf(stream)).includes('JobCancelled') ? true : undefined,
      );
      world.acknowledge(stream, 'JobCancelled');
    }
  },
};

export const closedAccount: Scenario = {
  name: 'an account that is closed',
  steps: [...CLOSED_JOBS.map((name) => creates(name)), leases('one'), closes, endsJobs],
  async outcome(world) {
    await closes.run(world);
    const account = await world.typesOf(`account-${world.seed.accountId}`);
    expect(account.filter((type) => type === 'AccountClosed')).toHaveLength(1);
    for (const name of CLOSED_JOBS) {
      const types = await world.typesOf(`job-${jobOf(world, name)}`);
      expect(types.filter((type) => type === 'JobCancelled')).toHaveLength(1);
    }
    expect((await world.asClient('GET', '/svc-api-account')).status).toBe(401);
  },
};

const opensAccount: Step = {
  name: 'open an account',
  async run(world) {
    const { account_id } = await world.operate('POST', '/accounts', { name: 'First' });
    world.acknowledge(`account-${account_id}`, 'AccountOpened');
  },
};

export const firstStart: Scenario = {
  name: 'the first start in an empty folder',
  fromNothing: true,
  steps: [opensAccount],
  async outcome(world) {
    const { items } = await world.operate('GET', '/accounts');
    const names = (items as { name: string }[]).map(({ name }) => name);
    // The operator surface has no keys: a lost answer may cause a second account.
    expect(names.length).toBeLessThanOrEqual(1 + world.crashes);
    expect(new Set(names)).toEqual(new Set(['First']));
  },
};
