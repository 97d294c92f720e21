/**
 * The packets that belong to an event: those between the event before it in the same buffer, and the event itself.
 */
import type { GpuEvent } from '../pm4/events.ts';
import type { Packet } from '../pm4/packet-stream.ts';

/** `previous`: the event before, if any. */
export function packetsOfEvent(event: GpuEvent, previous: GpuEvent | undefined): Packet[] {
  const { packet } = event;
  if (!packet) return [];
  const { stream } = packet;
  const sameBuffer = previous?.packet?.stream === stream;
  const from = sameBuffer ? previous!.packet!.index + 1 : 0;
  const packets: Packet[] = [];
  for (let i = from; i <= packet.index; i++) packets.push(stream.packet(i));
  return packets;
}
