/** Why a capture could not be opened while another one stays open. */
import { dismissProblem, useCapture } from '../stores/capture.ts';
import { Button } from '../widgets/button.tsx';
import { Messages } from '../widgets/messages.tsx';

export function OpenProblem() {
  const problem = useCapture((state) => state.problem);
  if (!problem) return null;
  return (
    <div className="open-problem" role="alert">
      <div className="open-problem__head">
        <span className="grow">
          <strong>{problem.path.split(/[\\/]/).at(-1)}</strong> could not be opened; what was open still is.
        </span>
        <Button label="Dismiss" icon="close" iconOnly onPress={dismissProblem} />
      </div>
      <Messages label="Why the capture could not be opened" diagnostics={problem.diagnostics} />
    </div>
  );
}
