/** Plain shapes of events, packets and states for the command line and the window; made by pm4/format.ts. */
export { changeShapes, eventShape, eventSummary, packetLines, packetShape, stateShape } from '../pm4/format.ts';
