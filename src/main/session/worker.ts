/** Entry point of the worker pool: one exported function per kind of task. Data in, data out. */
import { type CaptureVerification, type VerifyTask, verifyCapture as verify } from './verify-capture.ts';

export function verifyCapture(task: VerifyTask): Promise<CaptureVerification> {
  return verify(task);
}
