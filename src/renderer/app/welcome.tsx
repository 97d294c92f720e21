/** What is shown while no capture is open: ways to open one, and why the last attempt failed. */
import { useApp } from '../stores/app.ts';
import { forgetRecent, openPath, useCapture } from '../stores/capture.ts';
import { Button } from '../widgets/button.tsx';
import { Icon } from '../widgets/icon.tsx';
import { Messages } from '../widgets/messages.tsx';
import { openDialog } from './open-dialog.ts';

export function Welcome() {
  const { recent, problem, isOpening } = useCapture();
  const sample = useApp((state) => state.info?.samplePath);
  return (
    <div className="welcome">
      <div className="welcome__box">
        <h1>
          <img src="./icon.svg" alt="" width="34" height="34" /> Lanescope
        </h1>
        <p className="muted">Open a capture, or drop one anywhere on this window.</p>
        {problem && (
          <div className="welcome__problem">
            <p>
              <strong>{problem.path.split(/[\\/]/).at(-1)}</strong> could not be opened.
            </p>
            <Messages label="Why the capture could not be opened" diagnostics={problem.diagnostics} />
          </div>
        )}
        <div className="welcome__actions">
          <Button
            label="Open capture…"
            icon="open"
            kind="primary"
            shortcut="Ctrl+O"
            disabledReason={isOpening ? 'a capture is being opened' : undefined}
            onPress={() => void openDialog()}
          />
          <Button
            label="Open the sample"
            kind="solid"
            disabledReason={
              sample
                ? isOpening
                  ? 'a capture is being opened'
                  : undefined
                : 'the sample capture was not found beside the application'
            }
            onPress={() => {
              if (sample) void openPath(sample);
            }}
          />
        </div>
        {recent.length > 0 && (
          <>
            <h2>Opened before</h2>
            <ul className="welcome__recent">
              {recent.map((file) => (
                <li key={file.path}>
                  <button type="button" className="menu__item" onClick={() => void openPath(file.path)}>
                    <Icon name="open" size={14} />
                    <span className="clip">{file.name}</span>
                    <span className="menu__hint clip">{file.folder}</span>
                  </button>
                  <Button
                    label={`Forget ${file.name}`}
                    icon="close"
                    iconOnly
                    onPress={() => void forgetRecent(file.path)}
                  />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  );
}
