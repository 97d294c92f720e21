/**
 * Which devices there are, whatever their drivers do when they are loaded.
 *
 * All drivers are loaded in one host first: that is what runs need anyway, so a machine where all is well pays nothing.
 * Only when that host dies, hangs or reports an error is each driver tried in a process of its own, all at once; a driver
 * that fails there is named and left out, and a device is then used in a host that loads its driver alone. What was
 * found is remembered by the client, so a bad driver costs its time once.
 */
import type { HostLauncher } from './fork-host.ts';
import { type FailedDriver, type GpuDeviceInfo, GpuError } from './gpu-backend.ts';
import type { HostReply } from './host-protocol.ts';

/** Where a device is found again. */
export interface DevicePlace {
  /** Manifests of the drivers that its host loads; undefined: all of this machine. */
  readonly drivers?: readonly string[];
  /** Number of the device in such a host. */
  readonly index: number;
}

export interface Survey {
  /** `index` counts through all of them. */
  readonly devices: readonly GpuDeviceInfo[];
  /** Of each device. */
  readonly places: readonly DevicePlace[];
  readonly failed: readonly FailedDriver[];
  /** Drivers had to be tried one by one, or a device failed: not asked again. */
  readonly isHardWon: boolean;
}

export interface SurveyLimits {
  /** For all drivers in one host, milliseconds; a machine that needs longer is surveyed driver by driver. */
  readonly allMs: number;
  /** For each driver in a host of its own. */
  readonly oneMs: number;
}

export const SURVEY_LIMITS: SurveyLimits = { allMs: 5000, oneMs: 10_000 };

export function surveyOfAll(devices: readonly GpuDeviceInfo[], failed: readonly FailedDriver[]): Survey {
  return { devices, places: devices.map(({ index }) => ({ index })), failed, isHardWon: false };
}

/** As loaders order them: what is fastest first. */
const ORDER: readonly GpuDeviceInfo['kind'][] = ['discrete', 'integrated', 'virtual', 'other', 'cpu'];

export async function surveyByDriver(
  launcher: HostLauncher,
  manifests: readonly string[],
  limitMs: number,
): Promise<Survey> {
  const answers = await Promise.all(
    manifests.map(async (manifest) => {
      const answer = await probe(launcher, manifest, limitMs);
      return typeof answer === 'string' ? { manifest, reason: answer } : { manifest, devices: answer };
    }),
  );
  const found = answers.flatMap(({ manifest, devices = [] }) =>
    devices.map((info) => ({ info, place: { drivers: [manifest], index: info.index } })),
  );
  found.sort((a, b) => ORDER.indexOf(a.info.kind) - ORDER.indexOf(b.info.kind));
  return {
    devices: found.map(({ info }, index) => ({ ...info, index })),
    places: found.map(({ place }) => place),
    failed: [
      ...launcher.disabled,
      ...answers.flatMap(({ manifest, reason }) => (reason === undefined ? [] : [{ manifest, reason }])),
    ],
    isHardWon: true,
  };
}

/** The devices of one driver, or why it has none to give. */
function probe(launcher: HostLauncher, manifest: string, limitMs: number): Promise<readonly GpuDeviceInfo[] | string> {
  const host = launcher.launch([manifest]);
  return new Promise((resolve) => {
    const settle = (answer: readonly GpuDeviceInfo[] | string): void => {
      clearTimeout(timer);
      host.kill();
      resolve(answer);
    };
    const timer = setTimeout(() => settle(`did not answer for ${limitMs / 1000} s when loaded`), limitMs);
    host.onExit((how) => settle(`ended the process when loaded (${how})`));
    host.onReply((reply: HostReply) => {
      if (reply.kind === 'devices') settle(reply.devices);
      else settle(reply.kind === 'error' ? reply.message : `answered '${reply.kind}'`);
    });
    host.send({ id: 0, kind: 'devices' });
  });
}

export function samePlace(a: DevicePlace, b: DevicePlace): boolean {
  return a.index === b.index && a.drivers?.[0] === b.drivers?.[0];
}

/** The same with a device that turned out to be unusable. */
export function withUnusable(survey: Survey, index: number, unusable: string): Survey {
  const devices = survey.devices.map((d) => (d.index === index ? { ...d, unusable } : d));
  return { ...survey, devices, isHardWon: true };
}

/** Number of the device that is meant, or of the first usable one. Throws GPU001 when there is none. */
export function indexOfMatch({ devices, failed }: Survey, wanted: number | string | undefined): number {
  const fits = ({ index, name, unusable }: GpuDeviceInfo): boolean => {
    if (wanted === undefined) return unusable === undefined;
    return typeof wanted === 'number' ? index === wanted : name.toLowerCase().includes(wanted.toLowerCase());
  };
  const found = devices.find(fits);
  if (!found) {
    const names = devices.map((d) => `${d.index} ${d.name}${d.unusable ? ` (${d.unusable})` : ''}`);
    const drivers = failed.map(({ manifest, reason }) => `driver ${manifest} (${reason})`);
    const asked = wanted === undefined ? 'no usable Vulkan device' : `no Vulkan device matches '${wanted}'`;
    throw new GpuError('GPU001', `${asked}; seen: ${[...names, ...drivers].join('; ') || 'none'}`);
  }
  if (found.unusable) throw new GpuError('GPU001', `${found.name} ${found.unusable}`);
  return found.index;
}
