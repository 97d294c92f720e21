/** The bar at the bottom: device, capture, and what is going on, with the button that stops it. */
import { useEffect, useState } from 'react';
import { counted, formatBytes } from '../selectors/number-format.ts';
import { useApp } from '../stores/app.ts';
import { useCapture } from '../stores/capture.ts';
import { refreshDevices, useDevices } from '../stores/devices.ts';
import { type JobEntry, useJobs } from '../stores/jobs.ts';
import { useNotice } from '../stores/notice.ts';
import { Button } from '../widgets/button.tsx';
import { Icon } from '../widgets/icon.tsx';
import { focusPanel } from './layout.ts';

/** Work that is over sooner is not worth a flicker. */
const QUIET_MS = 250;

export function StatusBar() {
  const isConnected = useApp((state) => state.isConnected);
  const notice = useNotice((state) => state.text);
  return (
    <footer className="status-bar">
      {!isConnected && (
        <span className="status-bar__lost" role="alert">
          <Icon name="error" size={14} /> The engine cannot be reached; trying again
        </span>
      )}
      <Device />
      <CaptureFacts />
      <span className="grow" />
      <span className="status-bar__notice clip" role="status" aria-label="Notice">
        {notice}
      </span>
      <Jobs />
    </footer>
  );
}

function Device() {
  const { view, isLoading } = useDevices();
  if (!view) return <span className="muted">{isLoading ? 'Looking for devices…' : 'No devices known'}</span>;
  const { usable, reason } = view.vulkan;
  return (
    <span className="status-bar__device">
      <span className={`status-dot ${usable ? 'status-dot--on' : ''}`} aria-hidden="true" />
      <span className="clip">{usable ? `Vulkan: ${reason}` : `Reference only: ${reason}`}</span>
      {!usable && (
        <Button
          label="Look again"
          disabledReason={isLoading ? 'it is being looked for' : undefined}
          onPress={() => void refreshDevices()}
        />
      )}
    </span>
  );
}

function CaptureFacts() {
  const summary = useCapture((state) => state.summary);
  if (!summary) return null;
  const facts = [
    summary.target,
    counted(summary.events, 'event'),
    counted(summary.dispatches, 'dispatch', 'dispatches'),
    `${formatBytes(summary.mappedBytes)} mapped`,
  ];
  return (
    <>
      <span className="status-bar__capture clip" title={summary.path}>
        <strong>{summary.name}</strong> <span className="muted">{facts.join(' · ')}</span>
      </span>
      {summary.damage.length > 0 && (
        <button
          type="button"
          className="tag tag--warn status-bar__damage"
          title={`${summary.damage.map((d) => d.text).join('\n')}\n(in the log)`}
          onClick={() => focusPanel('log')}
        >
          <Icon name="warning" size={12} /> damaged: {counted(summary.damage.length, 'problem')}
        </button>
      )}
    </>
  );
}

function Jobs() {
  const jobs = useJobs((state) => state.jobs);
  const [, tick] = useState(0);
  useEffect(() => {
    if (jobs.length === 0) return;
    const timer = setTimeout(() => tick((n) => n + 1), QUIET_MS + 10);
    return () => clearTimeout(timer);
  }, [jobs]);
  const shown = jobs.filter((job) => performance.now() - job.startedAt > QUIET_MS);
  return (
    <div className="status-bar__jobs" role="status" aria-label="Work in progress">
      {shown.slice(0, 2).map((job) => (
        <JobView key={job.id} job={job} />
      ))}
      {shown.length > 2 && <span className="muted">and {shown.length - 2} more</span>}
    </div>
  );
}

function JobView({ job }: { readonly job: JobEntry }) {
  const { progress, title } = job;
  const share = progress && progress.total > 0 ? Math.min(1, progress.done / progress.total) : undefined;
  return (
    <span className="job">
      <span className="clip job__text">{progress?.text || title}</span>
      <progress className="job__bar" aria-label={title} value={share} max={1} />
      <Button label={`Cancel: ${title}`} icon="close" iconOnly onPress={job.cancel} />
    </span>
  );
}
