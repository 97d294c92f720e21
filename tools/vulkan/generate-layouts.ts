/**
 * Generates src/main/gpu/vulkan/vulkan.gen.ts from the Vulkan registry (vk.xml, Debian package libvulkan-dev):
 * struct sizes and member offsets for LP64, command signatures, enumerants.
 *
 *   npx tsx tools/vulkan/generate-layouts.ts OUT.ts [--check-program FILE.c]
 *
 * The optional C program compares every size, alignment, offset and sType with the C compiler's own; a test runs it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { XMLParser } from 'fast-xml-parser';
import { USED_COMMANDS, USED_ENUMS, USED_STRUCTS } from './used-entities.ts';

const REGISTRY = '/usr/share/vulkan/registry/vk.xml';

interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Element | string)[];
}

type Raw = Record<string, unknown>;

function toElements(raw: readonly Raw[]): (Element | string)[] {
  return raw.flatMap((node): (Element | string)[] => {
    const tag = Object.keys(node).find((key) => key !== ':@')!;
    if (tag === '#text') return [String(node[tag])];
    return [
      { tag, attributes: (node[':@'] ?? {}) as Record<string, string>, children: toElements(node[tag] as Raw[]) },
    ];
  });
}

function parseRegistry(path: string): Element {
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    trimValues: false,
    parseTagValue: false,
    parseAttributeValue: false,
  });
  const root = toElements(parser.parse(readFileSync(path, 'utf8')) as Raw[]);
  return root.find((node): node is Element => typeof node !== 'string' && node.tag === 'registry')!;
}

const childrenOf = (element: Element, tag?: string): Element[] =>
  element.children.filter((child): child is Element => typeof child !== 'string' && (!tag || child.tag === tag));
const childOf = (element: Element, tag: string): Element | undefined => childrenOf(element, tag)[0];
const textOf = (node: Element | string): string =>
  typeof node === 'string' ? node : node.tag === 'comment' ? '' : node.children.map(textOf).join('');
const forVulkan = (api: string | undefined): boolean => !api || api.split(',').includes('vulkan');

const registry = parseRegistry(REGISTRY);

// Enumerants, with their groups; extension values are 1e9 + (number − 1) · 1000 + offset.
const values = new Map<string, bigint>();
const groups = new Map<string, string[]>();
const wideGroups = new Set<string>();

function parseValue(text: string): bigint | undefined {
  if (/^-?\d+$/.test(text) || /^0x[0-9a-fA-F]+$/.test(text)) return BigInt(text);
  const inverted = /^\(~(\d+)U(LL)?\)$/.exec(text);
  if (inverted) return (1n << (inverted[2] ? 64n : 32n)) - 1n - BigInt(inverted[1]!);
  return undefined;
}

function addEnumerant(group: string | undefined, element: Element, extensionNumber?: string): void {
  const a = element.attributes;
  if (!forVulkan(a.api) || a.alias) return;
  let value: bigint | undefined;
  if (a.value !== undefined) value = parseValue(a.value);
  else if (a.bitpos !== undefined) value = 1n << BigInt(a.bitpos);
  else if (a.offset !== undefined) {
    const number = 1_000_000_000n + (BigInt(a.extnumber ?? extensionNumber!) - 1n) * 1000n + BigInt(a.offset);
    value = a.dir === '-' ? -number : number;
  }
  if (value === undefined || values.has(a.name!)) return;
  values.set(a.name!, value);
  if (group) groups.set(group, [...(groups.get(group) ?? []), a.name!]);
}

for (const block of childrenOf(registry, 'enums')) {
  if (block.attributes.bitwidth === '64') wideGroups.add(block.attributes.name!);
  for (const element of childrenOf(block, 'enum')) addEnumerant(block.attributes.name, element);
}
const extensions = childrenOf(childOf(registry, 'extensions')!, 'extension').filter(
  (e) => e.attributes.supported !== 'disabled' && forVulkan(e.attributes.supported),
);
for (const owner of [...childrenOf(registry, 'feature').filter((f) => forVulkan(f.attributes.api)), ...extensions]) {
  for (const require of childrenOf(owner, 'require')) {
    for (const element of childrenOf(require, 'enum'))
      addEnumerant(element.attributes.extends, element, owner.attributes.number);
  }
}

// Types.
interface Scalar {
  readonly size: number;
  readonly align: number;
  readonly kind: string;
}
const SCALARS: Record<string, Scalar> = {};
for (const [names, size, kind] of [
  ['char int8_t', 1, 'i8'],
  ['uint8_t', 1, 'u8'],
  ['uint16_t', 2, 'u16'],
  ['uint32_t VkBool32 VkFlags VkSampleMask', 4, 'u32'],
  ['int32_t int', 4, 'i32'],
  ['uint64_t size_t VkDeviceSize VkDeviceAddress VkFlags64', 8, 'u64'],
  ['int64_t', 8, 'i64'],
  ['float', 4, 'f32'],
  ['double', 8, 'f64'],
] as const) {
  for (const name of names.split(' ')) SCALARS[name] = { size, align: size, kind };
}
const POINTER: Scalar = { size: 8, align: 8, kind: 'ptr' };
const scalars = new Map<string, Scalar>(Object.entries(SCALARS));
const structNodes = new Map<string, Element>();
const aliases = new Map<string, string>();

for (const type of childrenOf(childOf(registry, 'types')!, 'type')) {
  if (!forVulkan(type.attributes.api)) continue;
  const nameElement = childOf(type, 'name');
  const name = type.attributes.name ?? (nameElement ? textOf(nameElement) : '');
  if (!name) continue;
  if (type.attributes.alias) {
    aliases.set(name, type.attributes.alias);
    continue;
  }
  const category = type.attributes.category;
  if (category === 'struct' || category === 'union') structNodes.set(name, type);
  else if (category === 'enum') scalars.set(name, SCALARS[wideGroups.has(name) ? 'uint64_t' : 'int32_t']!);
  else if (category === 'bitmask')
    scalars.set(name, SCALARS[textOf(childOf(type, 'type')!) === 'VkFlags64' ? 'uint64_t' : 'uint32_t']!);
  else if (category === 'handle') scalars.set(name, SCALARS.uint64_t!);
  else if (category === 'funcpointer') scalars.set(name, POINTER);
}
const resolve = (name: string): string => aliases.get(name) ?? name;

interface Member extends Scalar {
  readonly name: string;
  readonly offset: number;
  readonly count: number;
}
interface Layout {
  readonly name: string;
  readonly size: number;
  readonly align: number;
  readonly sType: bigint;
  readonly sTypeName: string;
  readonly members: readonly Member[];
}
const layouts = new Map<string, Layout>();

function arrayLength(after: string): number {
  let count = 1;
  for (const dimension of after.matchAll(/\[([^\]]+)\]/g)) {
    const text = dimension[1]!;
    count *= /^\d+$/.test(text) ? Number(text) : Number(values.get(text)!);
  }
  return count;
}

function layoutOf(name: string): Layout {
  const known = layouts.get(name);
  if (known) return known;
  const node = structNodes.get(name);
  if (!node) throw new Error(`vk.xml has no struct ${name}`);
  const union = node.attributes.category === 'union';
  const members: Member[] = [];
  let size = 0;
  let align = 1;
  let sType = -1n;
  let sTypeName = '';
  for (const member of childrenOf(node, 'member')) {
    if (!forVulkan(member.attributes.api)) continue;
    const memberName = textOf(childOf(member, 'name')!);
    const typeName = resolve(textOf(childOf(member, 'type')!));
    const text = textOf(member);
    const after = text.slice(text.lastIndexOf(memberName) + memberName.length);
    if (/:\d+/.test(after)) throw new Error(`${name}.${memberName}: bit-fields are not laid out`);
    let type: Scalar | undefined;
    if (text.includes('*')) type = POINTER;
    else if (structNodes.has(typeName)) {
      const inner = layoutOf(typeName);
      type = { size: inner.size, align: inner.align, kind: inner.name };
    } else type = scalars.get(typeName);
    if (!type) throw new Error(`${name}.${memberName}: unknown type ${typeName}`);
    if (memberName === 'sType' && member.attributes.values) {
      sTypeName = member.attributes.values;
      sType = values.get(sTypeName)!;
    }
    const count = arrayLength(after);
    const offset = union ? 0 : Math.ceil(size / type.align) * type.align;
    members.push({ ...type, name: memberName, offset, count });
    size = Math.max(size, offset + type.size * count);
    align = Math.max(align, type.align);
  }
  const layout = { name, size: Math.ceil(size / align) * align, align, sType, sTypeName, members };
  layouts.set(name, layout);
  return layout;
}

// Commands.
const commandNodes = new Map<string, Element>();
const commandAliases = new Map<string, string>();
for (const command of childrenOf(childOf(registry, 'commands')!, 'command')) {
  if (!forVulkan(command.attributes.api)) continue;
  if (command.attributes.alias) commandAliases.set(command.attributes.name!, command.attributes.alias);
  else commandNodes.set(textOf(childOf(childOf(command, 'proto')!, 'name')!), command);
}

function kindOf(parameter: Element): string {
  const text = textOf(parameter);
  const type = resolve(textOf(childOf(parameter, 'type')!));
  if (text.includes('*') || text.includes('[')) return 'ptr';
  if (type === 'void') return 'void';
  const scalar = scalars.get(type);
  if (!scalar) throw new Error(`parameter of type ${type}`);
  return scalar.kind;
}

const lines = [
  '// Generated by tools/vulkan/generate-layouts.ts from the Vulkan registry. Do not edit.',
  '',
  '/** [offset, kind (scalar, ptr or struct name), count, element size] */',
  'export type VulkanMember = readonly [number, string, number, number];',
  'export interface VulkanStruct { readonly size: number; readonly sType: number; readonly members: Readonly<Record<string, VulkanMember>>; }',
  '',
];
for (const name of USED_STRUCTS) layoutOf(name);
lines.push('export const STRUCTS = {');
for (const layout of layouts.values()) {
  const members = layout.members.map((m) => `${m.name}: [${m.offset}, '${m.kind}', ${m.count}, ${m.size}]`).join(', ');
  lines.push(`  ${layout.name}: { size: ${layout.size}, sType: ${layout.sType}, members: { ${members} } },`);
}
lines.push(
  '} as const satisfies Record<string, VulkanStruct>;',
  '',
  '/** [result, parameters] */',
  'export const COMMANDS = {',
);
for (const name of USED_COMMANDS) {
  const command = commandNodes.get(commandAliases.get(name) ?? name);
  if (!command) throw new Error(`vk.xml has no command ${name}`);
  const parameters = childrenOf(command, 'param')
    .filter((p) => forVulkan(p.attributes.api))
    .map((p) => `'${kindOf(p)}'`);
  lines.push(`  ${name}: ['${kindOf(childOf(command, 'proto')!)}', [${parameters.join(', ')}]],`);
}
lines.push('} as const satisfies Record<string, readonly [string, readonly string[]]>;', '', 'export const VK = {');
for (const group of USED_ENUMS) {
  for (const name of groups.get(group) ?? []) {
    if (
      !/_(KHR|EXT|NV|AMD|QCOM|INTEL|HUAWEI|GOOGLE|VALVE|ARM|FUCHSIA|MESA|NVX|QNX|LUNARG|SEC|IMG)$/.test(name) ||
      group === 'VkResult' ||
      /HOST_ALLOCATION/.test(name) ||
      /CAPTURE_/.test(name)
    ) {
      lines.push(`  ${name}: ${values.get(name)},`);
    }
  }
}
lines.push('} as const;', '');

const [out, flag, checkProgram] = process.argv.slice(2);
writeFileSync(out!, lines.join('\n'));
if (flag === '--check-program') {
  const checks: string[] = [];
  for (const l of layouts.values()) {
    checks.push(
      `check("sizeof ${l.name}", ${l.size}, sizeof(${l.name})); check("alignof ${l.name}", ${l.align}, _Alignof(${l.name}));`,
    );
    for (const m of l.members)
      checks.push(`check("${l.name}.${m.name}", ${m.offset}, offsetof(${l.name}, ${m.name}));`);
    if (l.sTypeName) checks.push(`check("${l.sTypeName}", ${l.sType}, ${l.sTypeName});`);
  }
  const program = [
    '#include <stddef.h>',
    '#include <stdio.h>',
    '#include <vulkan/vulkan.h>',
    'static int bad, count;',
    'static void check(const char *what, long ours, long theirs) { count++; if (ours != theirs) { bad++; printf("%s: %ld, compiler %ld\\n", what, ours, theirs); } }',
    'int main(void) {',
    ...checks,
    'printf("%d checks, %d wrong\\n", count, bad); return bad != 0; }',
    '',
  ];
  writeFileSync(checkProgram!, program.join('\n'));
}
