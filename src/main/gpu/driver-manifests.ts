/**
 * Which Vulkan drivers the loader would load: the manifest files that it finds, by its own rules.
 *
 * Why: one driver that crashes when it is loaded takes the process down, and with it the list of all others. Knowing
 * the manifests, drivers can be tried one at a time, and left out. Source: LoaderDriverInterface.md of the Vulkan
 * loader, "Driver Discovery". On Windows the loader also reads the registry; there only drivers that environment
 * variables name are known.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { FailedDriver } from './gpu-backend.ts';

/** Parts of manifest file names, comma separated: drivers that are not loaded. */
export const DISABLED_DRIVERS = 'LANESCOPE_DISABLED_DRIVERS';

function listOf(value: string | undefined): string[] {
  return (value ?? '').split(delimiter).filter((part) => part !== '');
}

/** Manifests in a folder, or the file itself; nothing when it is not there. */
function manifestsAt(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).filter((name) => name.endsWith('.json'));
    return names.sort().map((name) => join(path, name));
  } catch {
    return [];
  }
}

function searchedFolders(environment: NodeJS.ProcessEnv): string[] {
  const home = environment.HOME;
  const inHome = (folder: string): string[] => (home ? [join(home, folder)] : []);
  const or = (value: string | undefined, otherwise: readonly string[]): readonly string[] =>
    value ? listOf(value) : otherwise;
  return [
    ...or(environment.XDG_CONFIG_HOME, inHome('.config')),
    ...or(environment.XDG_CONFIG_DIRS, ['/etc/xdg']),
    '/etc',
    ...or(environment.XDG_DATA_HOME, inHome('.local/share')),
    ...or(environment.XDG_DATA_DIRS, ['/usr/local/share', '/usr/share']),
  ].map((folder) => join(folder, 'vulkan', 'icd.d'));
}

/** Each file once, in the loader's order. */
function unique(files: readonly string[]): string[] {
  const seen = new Set<string>();
  return files.filter((file) => {
    const real = realpathSync(file);
    return !seen.has(real) && seen.add(real);
  });
}

/** undefined: not known on this platform. */
export function driverManifests(
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): readonly string[] | undefined {
  const chosen = environment.VK_DRIVER_FILES ?? environment.VK_ICD_FILENAMES;
  if (chosen) return unique(listOf(chosen).flatMap(manifestsAt));
  if (platform === 'win32') return undefined;
  const places = [...listOf(environment.VK_ADD_DRIVER_FILES), ...searchedFolders(environment)];
  return unique(places.flatMap(manifestsAt));
}

/** What the user switched off, of `manifests`. */
export function disabledDrivers(manifests: readonly string[], environment: NodeJS.ProcessEnv): readonly FailedDriver[] {
  const parts = (environment[DISABLED_DRIVERS] ?? '').split(',').filter((part) => part !== '');
  return manifests
    .filter((manifest) => parts.some((part) => manifest.includes(part)))
    .map((manifest) => ({ manifest, reason: `disabled by ${DISABLED_DRIVERS}` }));
}

/** The environment in which the loader loads these drivers and no others. */
export function withDrivers(environment: NodeJS.ProcessEnv, manifests: readonly string[]): NodeJS.ProcessEnv {
  // An empty list would mean the loader's own search; older loaders know the second name only.
  const files = manifests.length > 0 ? manifests.join(delimiter) : 'none.json';
  const { VK_ADD_DRIVER_FILES: _, ...rest } = environment;
  return { ...rest, VK_DRIVER_FILES: files, VK_ICD_FILENAMES: files };
}
