/**
 * libvulkan through koffi: entry points by name with generated signatures, instance and device creation.
 *
 * Commands are resolved at device level where a device exists. `call` throws `VulkanError` on a negative VkResult.
 */
import koffi, { type KoffiFunc, type LibraryHandle } from 'koffi';
import { Arena, type StructName, type StructValue } from './arena.ts';
import { COMMANDS, STRUCTS, VK } from './vulkan.gen.ts';

/** A C function; the number and kinds of arguments follow its prototype at run time. */
// biome-ignore lint/suspicious/noExplicitAny: see above
type NativeFunction = KoffiFunc<(...args: any[]) => any>;
export type CommandName = keyof typeof COMMANDS;
type Argument = number | bigint | Uint8Array | null;

const KOFFI_TYPES: Record<string, string> = {
  ptr: 'void *',
  u64: 'uint64_t',
  i64: 'int64_t',
  u32: 'uint32_t',
  i32: 'int32_t',
  f32: 'float',
  f64: 'double',
  void: 'void',
};

export class VulkanError extends Error {
  override readonly name = 'VulkanError';
  readonly result: number;
  constructor(command: string, result: number) {
    // The loader says it when there is no driver at all.
    const why = result === VK.VK_ERROR_INCOMPATIBLE_DRIVER ? ': no Vulkan driver was found that can be used' : '';
    super(`${command} gave ${resultName(result)}${why}`);
    this.result = result;
  }
}

export function resultName(result: number): string {
  const found = Object.entries(VK).find(
    ([name, value]) => value === result && /^VK_(SUCCESS|NOT_READY|TIMEOUT|EVENT|INCOMPLETE|ERROR)/.test(name),
  );
  return found?.[0] ?? `VkResult ${result}`;
}

const MOST_DEVICES = 1024;

const prototypes = new Map<string, ReturnType<typeof koffi.proto>>();
function prototypeOf(name: CommandName): ReturnType<typeof koffi.proto> {
  const [result, parameters] = COMMANDS[name];
  const key = `${result}(${parameters.join()})`;
  let prototype = prototypes.get(key);
  if (!prototype) {
    prototype = koffi.proto(
      KOFFI_TYPES[result]!,
      parameters.map((kind) => KOFFI_TYPES[kind]!),
    );
    prototypes.set(key, prototype);
  }
  return prototype;
}

function libraryName(): string {
  if (process.platform === 'win32') return 'vulkan-1.dll';
  return process.platform === 'darwin' ? 'libvulkan.1.dylib' : 'libvulkan.so.1';
}

/** koffi gives u64 as number or bigint by size. */
export const handleOf = (value: number | bigint): bigint => BigInt(value);

export class VulkanLibrary {
  readonly arena = new Arena();
  instance = 0n;
  device = 0n;
  private readonly library: LibraryHandle;
  private readonly getInstanceProc: NativeFunction;
  private getDeviceProc: NativeFunction | undefined;
  private functions = new Map<CommandName, NativeFunction>();

  /** Throws an ordinary Error when there is no loader on this machine. */
  constructor() {
    this.library = koffi.load(libraryName());
    this.getInstanceProc = this.library.func('vkGetInstanceProcAddr', 'void *', ['void *', 'str']);
  }

  function(name: CommandName): NativeFunction {
    let found = this.functions.get(name);
    if (!found) {
      const address =
        (this.device ? this.getDeviceProc!(this.device, name) : null) ||
        this.getInstanceProc(this.instance || null, name);
      if (!address) throw new Error(`the Vulkan driver has no ${name}`);
      found = koffi.decode(address, prototypeOf(name)) as NativeFunction;
      this.functions.set(name, found);
    }
    return found;
  }

  /** Calls a command; negative results throw. Returns the VkResult (or the value of the command). */
  call(name: CommandName, ...args: Argument[]): number {
    const result = this.function(name)(...args) as number;
    if (COMMANDS[name][0] === 'i32' && result < 0) throw new VulkanError(name, result);
    return result;
  }

  /** The same on a koffi thread: the event loop goes on. */
  callAsync(name: CommandName, ...args: Argument[]): Promise<number> {
    return new Promise((resolve, reject) => {
      this.function(name).async(...args, (error: Error | null, result: number) => {
        if (error) reject(error);
        else if (result < 0) reject(new VulkanError(name, result));
        else resolve(result);
      });
    });
  }

  /** Commands whose last parameter receives a handle. */
  create(name: CommandName, ...args: Argument[]): bigint {
    const out = this.arena.allocate(8);
    this.call(name, ...args, out);
    return this.arena.readU64(out);
  }

  /** The two-call idiom for arrays of structs. */
  enumerate(name: CommandName, struct: StructName, ...args: Argument[]): StructValue[] {
    const count = this.arena.allocate(4);
    this.call(name, ...args, count, null);
    const length = this.arena.readU32(count);
    if (length === 0) return [];
    const items = this.arena.array(
      struct,
      Array.from({ length }, () => ({})),
    );
    const stride = STRUCTS[struct].size;
    this.call(name, ...args, count, items);
    return Array.from({ length: this.arena.readU32(count) }, (_, i) =>
      this.arena.read(struct, items + BigInt(i * stride)),
    );
  }

  createInstance(layers: readonly string[] = []): void {
    const arena = this.arena;
    const application = arena.make('VkApplicationInfo', {
      pApplicationName: 'Lanescope',
      apiVersion: (1 << 22) | (3 << 12),
    });
    const info = arena.make('VkInstanceCreateInfo', {
      pApplicationInfo: application,
      enabledLayerCount: layers.length,
      ppEnabledLayerNames: arena.u64s(layers.map((layer) => arena.string(layer))),
    });
    this.instance = this.create('vkCreateInstance', info, null);
    this.functions = new Map();
    const address = this.getInstanceProc(this.instance, 'vkGetDeviceProcAddr');
    this.getDeviceProc = koffi.decode(address, koffi.proto('void *', ['void *', 'str'])) as NativeFunction;
  }

  physicalDevices(): bigint[] {
    const count = this.arena.allocate(4);
    this.call('vkEnumeratePhysicalDevices', this.instance, count, null);
    const length = this.arena.readU32(count);
    if (length > MOST_DEVICES) throw new Error(`the driver counts ${length} devices`);
    const out = this.arena.u64s(new Array<bigint>(length).fill(0n));
    this.call('vkEnumeratePhysicalDevices', this.instance, count, out);
    return Array.from({ length }, (_, i) => this.arena.readU64(out + BigInt(8 * i)));
  }

  /** A chain of zeroed structs, filled by the driver; pointers by name. */
  private query(
    command: 'vkGetPhysicalDeviceProperties2' | 'vkGetPhysicalDeviceFeatures2',
    head: StructName,
    physical: bigint,
    chain: readonly StructName[],
  ): { head: bigint; values: Record<string, StructValue> } {
    const pointers: [StructName, bigint][] = [];
    let next = 0n;
    for (const name of [...chain].reverse()) {
      next = this.arena.make(name, { pNext: next });
      pointers.push([name, next]);
    }
    const first = this.arena.make(head, { pNext: next });
    this.function(command)(physical, first);
    const values: Record<string, StructValue> = { [head]: this.arena.read(head, first) };
    for (const [name, pointer] of pointers) values[name] = this.arena.read(name, pointer);
    return { head: first, values };
  }

  properties(physical: bigint, chain: readonly StructName[]): Record<string, StructValue> {
    return this.query('vkGetPhysicalDeviceProperties2', 'VkPhysicalDeviceProperties2', physical, chain).values;
  }

  /** `head` can be given back to vkCreateDevice as it is. */
  features(physical: bigint, chain: readonly StructName[]): { head: bigint; values: Record<string, StructValue> } {
    return this.query('vkGetPhysicalDeviceFeatures2', 'VkPhysicalDeviceFeatures2', physical, chain);
  }

  createDevice(physical: bigint, queueFamily: number, featureChain: bigint, extensions: readonly string[]): void {
    const arena = this.arena;
    const queue = arena.make('VkDeviceQueueCreateInfo', {
      queueFamilyIndex: queueFamily,
      queueCount: 1,
      pQueuePriorities: arena.f32s([1]),
    });
    const info = arena.make('VkDeviceCreateInfo', {
      pNext: featureChain,
      queueCreateInfoCount: 1,
      pQueueCreateInfos: queue,
      enabledExtensionCount: extensions.length,
      ppEnabledExtensionNames: arena.u64s(extensions.map((name) => arena.string(name))),
    });
    this.device = this.create('vkCreateDevice', physical, info, null);
    this.functions = new Map();
  }
}

/** memcpy and memset on raw addresses; typed arrays are passed as pointers to their bytes. */
const libc = koffi.load(
  process.platform === 'win32' ? 'msvcrt.dll' : process.platform === 'darwin' ? 'libSystem.dylib' : 'libc.so.6',
);
const memcpy = libc.func('memcpy', 'void *', ['void *', 'void *', 'size_t']);
const memset = libc.func('memset', 'void *', ['void *', 'int', 'size_t']);

export function copyToAddress(address: bigint, bytes: Uint8Array): void {
  if (bytes.length > 0) memcpy(address, bytes, bytes.length);
}

export function copyFromAddress(address: bigint, sizeBytes: number): Uint8Array {
  const out = new Uint8Array(sizeBytes);
  if (sizeBytes > 0) memcpy(out, address, sizeBytes);
  return out;
}

export function clearAtAddress(address: bigint, sizeBytes: number): void {
  if (sizeBytes > 0) memset(address, 0, sizeBytes);
}
