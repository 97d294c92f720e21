/** The icons of the window: strokes on a 16 × 16 grid, in the colour of the text around them. */
const PATHS = {
  open: 'M1.5 12.5v-9h4l1.5 2h7.5v7z M1.5 7.5h13',
  previous: 'M10 3.5 5.5 8l4.5 4.5',
  next: 'M6 3.5 10.5 8 6 12.5',
  previousDispatch: 'M12.5 3.5 8 8l4.5 4.5 M7.5 3.5 3 8l4.5 4.5',
  nextDispatch: 'M3.5 3.5 8 8l-4.5 4.5 M8.5 3.5 13 8l-4.5 4.5',
  chevronRight: 'M6 4l4 4-4 4',
  chevronDown: 'M4 6l4 4 4-4',
  close: 'M4 4l8 8 M12 4l-8 8',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z M10.5 10.5 14 14',
  keyboard: 'M1.5 4h13v8h-13z M4 6.5h.4 M6.6 6.5h.4 M9.2 6.5h.4 M11.8 6.5h.4 M4.5 9.5h7',
  layout: 'M2 2.5h12v11H2z M6.5 2.5v11 M6.5 9H14',
  theme: 'M8 2a6 6 0 1 0 0 12z M8 2a6 6 0 0 1 0 12',
  copy: 'M5.5 5.5h8v8h-8z M10.5 5.5v-3h-8v8h3',
  play: 'M4.5 3l8 5-8 5z',
  stop: 'M4 4h8v8H4z',
  info: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2z M8 7v4 M8 4.8v.4',
  warning: 'M8 2.5 14.5 13.5h-13z M8 6.5v3.5 M8 11.6v.4',
  error: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2z M5.8 5.8l4.4 4.4 M10.2 5.8l-4.4 4.4',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  submit: 'M2 3h12 M2 8h12 M2 13h8',
  buffer: 'M2.5 2.5h11v4h-11z M2.5 9.5h11v4h-11z M8 6.5v3',
  group: 'M1.5 12.5v-9h4l1.5 2h7.5v7z',
  dispatch: 'M2.5 2.5h4v4h-4z M9.5 2.5h4v4h-4z M2.5 9.5h4v4h-4z M9.5 9.5h4v4h-4z',
  draw: 'M8 2.5 14 13H2z',
  write: 'M2.5 13.5l1-3.5 7-7 2.5 2.5-7 7z',
  copyMemory: 'M2 5h9l-2.5-2.5 M14 11H5l2.5 2.5',
  sync: 'M13 5.5A5.5 5.5 0 0 0 3 6 M3 2.5V6h3.5 M3 10.5A5.5 5.5 0 0 0 13 10 M13 13.5V10H9.5',
  wait: 'M4 2.5h8 M4 13.5h8 M5 2.5c0 4 6 7 6 11 M11 2.5c0 4-6 7-6 11',
  marker: 'M4 14V2.5h8l-2 3 2 3H4',
  state: 'M2.5 4.5h11 M2.5 8h11 M2.5 11.5h11 M5 3v3 M10 6.5v3 M7 10v3',
  expand: 'M4 6l4-4 4 4 M4 10l4 4 4-4',
  collapse: 'M4 2l4 4 4-4 M4 14l4-4 4 4',
  fit: 'M2 5.5V2h3.5 M10.5 2H14v3.5 M14 10.5V14h-3.5 M5.5 14H2v-3.5',
  cpu: 'M4.5 4.5h7v7h-7z M6.5 2v2.5 M9.5 2v2.5 M6.5 11.5V14 M9.5 11.5V14 M2 6.5h2.5 M2 9.5h2.5 M11.5 6.5H14 M11.5 9.5H14',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  );
}
