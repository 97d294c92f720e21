/** A capture dropped anywhere on the window is opened. */
import { useEffect, useState } from 'react';
import { openFile } from '../stores/capture.ts';
import { Icon } from '../widgets/icon.tsx';

function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

export function DropZone() {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const onOver = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (file) void openFile(file);
    };
    window.addEventListener('dragover', onOver);
    window.addEventListener('dragleave', onLeave);
    // Before the docking library takes it for one of its panels.
    window.addEventListener('drop', onDrop, true);
    return () => {
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('drop', onDrop, true);
    };
  }, []);
  if (!isOver) return null;
  return (
    <div className="drop-zone" aria-hidden="true">
      <Icon name="open" size={28} />
      Drop to open the capture
    </div>
  );
}
