/**
 * Debian packages that the tests use, and their installation.
 *
 * Why: the test command must work on a machine that has only Node and a package registry. A package that cannot be
 * installed is named; the tests that need it are then skipped and say so.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** package → a file that proves that it is there. */
export const TEST_PACKAGES = {
  'llvm-19': '/usr/bin/llvm-mc-19',
  'clang-19': '/usr/bin/clang-19',
  'lld-19': '/usr/bin/ld.lld-19',
  'rocm-device-libs': '/usr/lib/x86_64-linux-gnu/amdgcn/bitcode/ocml.bc',
  'mesa-vulkan-drivers': '/usr/share/vulkan/icd.d/lvp_icd.x86_64.json',
  libvulkan1: '/usr/lib/x86_64-linux-gnu/libvulkan.so.1',
  'libvulkan-dev': '/usr/share/vulkan/registry/vk.xml',
  'vulkan-validationlayers': '/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json',
  'spirv-tools': '/usr/bin/spirv-val',
  'glslang-tools': '/usr/bin/glslangValidator',
  'spirv-headers': '/usr/include/spirv/unified1/spirv.core.grammar.json',
  binutils: '/usr/bin/readelf',
};

/** For the end-to-end tests of the window. */
export const WINDOW_PACKAGES = {
  chromium: '/usr/bin/chromium',
  xvfb: '/usr/bin/Xvfb',
  xauth: '/usr/bin/xauth',
  unzip: '/usr/bin/unzip',
  'fonts-dejavu-core': '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf',
  'fonts-liberation': '/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf',
};

/** Installs what is missing; returns the names that are still missing afterwards. */
export function ensurePackages(packages) {
  const missing = () => Object.keys(packages).filter((name) => !existsSync(packages[name]));
  const wanted = missing();
  if (wanted.length === 0 || !existsSync('/usr/bin/apt-get')) return wanted;
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const run = (args) => {
    const [command, ...rest] = [...asRoot, ...args];
    return spawnSync(command, rest, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status;
  };
  console.log(`installing ${wanted.join(' ')}`);
  run(['apt-get', 'update', '-qq']);
  if (run(['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...wanted]) !== 0) {
    // One unknown name fails the whole call: try one by one.
    for (const name of wanted) run(['apt-get', 'install', '-y', '-qq', '--no-install-recommends', name]);
  }
  return missing();
}
