/**
 * Buttons. A button that cannot be used stays reachable and says why: `disabledReason` is its tooltip and description.
 */
import { type KeyboardEvent, type ReactNode, type Ref, useId } from 'react';
import { Icon, type IconName } from './icon.tsx';

export interface ButtonProps {
  readonly label: string;
  readonly icon?: IconName;
  /** The label is shown only to screen readers and in the tooltip. */
  readonly iconOnly?: boolean;
  readonly kind?: 'plain' | 'solid' | 'primary';
  readonly shortcut?: string;
  readonly disabledReason?: string | undefined;
  readonly pressed?: boolean;
  readonly onPress: () => void;
  readonly children?: ReactNode;
  readonly hasPopup?: 'menu';
  readonly isExpanded?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

export function Button(props: ButtonProps) {
  const { label, icon, iconOnly, kind = 'plain', shortcut, disabledReason, pressed, children } = props;
  const id = useId();
  const isDisabled = disabledReason !== undefined;
  const title = disabledReason ?? (shortcut ? `${label} (${shortcut})` : iconOnly ? label : undefined);
  const classes = ['button', kind === 'plain' ? '' : `button--${kind}`, iconOnly ? 'button--icon' : ''];
  return (
    <>
      <button
        ref={props.ref}
        type="button"
        className={classes.filter(Boolean).join(' ')}
        title={title}
        aria-label={iconOnly ? label : undefined}
        aria-disabled={isDisabled || undefined}
        aria-describedby={isDisabled ? id : undefined}
        aria-pressed={pressed}
        aria-haspopup={props.hasPopup}
        aria-expanded={props.isExpanded}
        onKeyDown={props.onKeyDown}
        onClick={() => {
          if (!isDisabled) props.onPress();
        }}
      >
        {icon && <Icon name={icon} />}
        {!iconOnly && (children ?? label)}
      </button>
      {isDisabled && (
        <span id={id} hidden>
          {disabledReason}
        </span>
      )}
    </>
  );
}

export interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly {
    readonly value: Value;
    readonly label: string;
    readonly disabledReason?: string | undefined;
  }[];
  readonly onChange: (value: Value) => void;
}

/** A choice of few, all in sight. */
export function Segmented<Value extends string>({ label, value, options, onChange }: SegmentedProps<Value>) {
  return (
    <div className="segmented" role="group" aria-label={label}>
      {options.map((option) => (
        <Button
          key={option.value}
          label={option.label}
          pressed={option.value === value}
          disabledReason={option.disabledReason}
          onPress={() => onChange(option.value)}
        />
      ))}
    </div>
  );
}

export interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string; readonly disabled?: boolean }[];
  readonly onChange: (value: string) => void;
  readonly isLabelHidden?: boolean;
}

export function Select({ label, value, options, onChange, isLabelHidden }: SelectProps) {
  return (
    <label className="labelled">
      <span className={isLabelHidden ? 'visually-hidden' : undefined}>{label}</span>
      <select className="field" value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}
