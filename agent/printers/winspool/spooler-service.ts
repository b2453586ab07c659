import { uptime } from 'node:os';
import koffi from 'koffi';
import { checked, underWine } from './winspool-calls.js';

const SC_MANAGER_CONNECT = 1;
const SERVICE_QUERY_STATUS = 4;
const SC_STATUS_PROCESS_INFO = 0;
const PROCESS_QUERY_LIMITED_INFORMATION = 0x1000;
/** Nine DWORDs; the process id is the eighth. */
const STATUS_BYTES = 36;
const PROCESS_ID_OFFSET = 28;

const advapi32 = koffi.load('advapi32.dll');
const kernel32 = koffi.load('kernel32.dll');
const system = {
  openManager: advapi32.func(
    'uintptr_t __stdcall OpenSCManagerW(str16 machine, str16 database, uint32_t access)',
  ),
  openService: advapi32.func(
    'uintptr_t __stdcall OpenServiceW(uintptr_t manager, str16 name, uint32_t access)',
  ),
  queryStatus: advapi32.func(
    'int __stdcall QueryServiceStatusEx(uintptr_t service, int level, _Out_ uint8_t *buffer, uint32_t size, _Out_ uint32_t *needed)',
  ),
  closeService: advapi32.func('int __stdcall CloseServiceHandle(uintptr_t handle)'),
  openProcess: kernel32.func('uintptr_t __stdcall OpenProcess(uint32_t access, int inherit, uint32_t id)'),
  processTimes: kernel32.func(
    'int __stdcall GetProcessTimes(uintptr_t process, _Out_ uint64_t *created, _Out_ uint64_t *exited, _Out_ uint64_t *kernel, _Out_ uint64_t *user)',
  ),
  closeHandle: kernel32.func('int __stdcall CloseHandle(uintptr_t handle)'),
};

let inquiry: Promise<string> = Promise.resolve('');

/** Minute of the system's start. Read once: the clock may be set while the Agent runs. */
const bootMinute = Math.round((Date.now() - uptime() * 1000) / 60_000);

/**
 * Process id of the spooler service and the time of its creation. A process that may not ask for that time (the
 * spooler belongs to the system) uses the start of the computer instead, which a restarted spooler keeps: then only
 * the process id tells two runs apart. Throws while the service does not run.
 */
export function spoolerEpoch(): Promise<string> {
  // One inquiry at a time: Wine mixes up the handles of concurrent ones.
  inquiry = inquiry.catch(() => undefined).then(() => currentEpoch());
  return inquiry;
}

async function currentEpoch(): Promise<string> {
  const id = await spoolerProcess();
  if (id === 0 && !underWine) throw new Error('the print spooler service does not run');
  const created = id === 0 ? undefined : await creationTime(id).catch(() => undefined);
  return created === undefined ? `${id}@boot-${bootMinute}` : `${id}@${created}`;
}

async function spoolerProcess(): Promise<number> {
  const manager = await checked('OpenSCManager', system.openManager, null, null, SC_MANAGER_CONNECT);
  try {
    const service = await checked(
      ...(['OpenService', system.openService, manager, 'Spooler', SERVICE_QUERY_STATUS] as const),
    );
    try {
      const status = Buffer.alloc(STATUS_BYTES);
      const call = ['QueryServiceStatusEx', system.queryStatus, service, SC_STATUS_PROCESS_INFO] as const;
      await checked(...call, status, STATUS_BYTES, [0]);
      return status.readUInt32LE(PROCESS_ID_OFFSET);
    } finally {
      await checked('CloseServiceHandle', system.closeService, service);
    }
  } finally {
    await checked('CloseServiceHandle', system.closeService, manager);
  }
}

/** 100 ns units since 1601. */
async function creationTime(id: number): Promise<string> {
  const handle = await checked('OpenProcess', system.openProcess, PROCESS_QUERY_LIMITED_INFORMATION, 0, id);
  try {
    const created: (number | bigint)[] = [0];
    await checked('GetProcessTimes', system.processTimes, handle, created, [0], [0], [0]);
    return String(created[0]);
  } finally {
    await checked('CloseHandle', system.closeHandle, handle);
  }
}
