import type { ButtonHTMLAttributes, ComponentChildren, PartialInputHTMLAttributes } from 'preact'
import { useId, useRef } from 'preact/hooks'

/** What a field offers: the value, its name for readers, and more about it. */
type Option<Value> = readonly [value: Value, label: string, title?: string]

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'label'> & {
  readonly label: ComponentChildren
}

/** A button that sends no form. */
export function Button({ label, ...button }: ButtonProps) {
  return (
    <button type="button" {...button}>
      {label}
    </button>
  )
}

type TextAttributes = Omit<
  PartialInputHTMLAttributes<HTMLInputElement>,
  'id' | 'label' | 'role' | 'type'
>

export type TextFieldProps = TextAttributes & {
  readonly label: string
  /** Only a screen reader says its label. */
  readonly isBare?: boolean
  /** Below it. */
  readonly hint?: ComponentChildren
  /** The hint changes while somebody types. */
  readonly isHintLive?: boolean
  readonly isBad?: boolean
  readonly id?: string
  readonly type?: 'text' | 'search'
  /** Id of a list of suggestions. */
  readonly list?: string
}

/** A line of text. */
export function TextField({
  label,
  isBare = false,
  hint,
  isHintLive = false,
  isBad = false,
  id,
  ...input
}: TextFieldProps) {
  const made = useId()
  const own = id ?? made
  const field = (
    <input
      autocomplete="off"
      aria-label={isBare ? label : undefined}
      aria-describedby={hint === undefined ? undefined : `${own}-hint`}
      aria-invalid={isBad}
      {...input}
      id={own}
    />
  )
  if (isBare) return field
  return (
    <div class="field">
      <label for={own}>{label}</label>
      {field}
      {hint !== undefined && (
        <p
          class={isBad ? 'hint bad' : 'hint'}
          id={`${own}-hint`}
          role={isHintLive ? 'status' : undefined}
        >
          {hint}
        </p>
      )}
    </div>
  )
}

type SelectProps = {
  readonly label: string
  /** Only a screen reader says its label. */
  readonly isBare?: boolean
  readonly options: readonly Option<string | number>[]
  readonly value?: string | number | undefined
  readonly onChange: (value: string) => void
}

/** One of a list. */
export function Select({ label, isBare = false, options, value, onChange }: SelectProps) {
  const id = useId()
  const select = (
    <select
      id={id}
      aria-label={isBare ? label : undefined}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  )
  if (isBare) return select
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {select}
    </div>
  )
}

type CheckProps = {
  readonly label: ComponentChildren
  readonly checked: boolean
  readonly onChange: (isChecked: boolean) => void
}

/** Yes or no. */
export function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  )
}

/** One of a few, side by side. */
export function Radios<Value extends string | number>({
  legend,
  isLegendShown = false,
  className = 'segments',
  keys,
  name,
  options,
  value,
  onChange,
}: {
  readonly legend: string
  readonly isLegendShown?: boolean
  readonly className?: string
  /** A key that changes it. */
  readonly keys?: string
  readonly name: string
  readonly options: readonly Option<Value>[]
  readonly value: Value | undefined
  readonly onChange: (value: Value) => void
}) {
  return (
    <fieldset class={className} aria-keyshortcuts={keys} title={keys}>
      <legend class={isLegendShown ? undefined : 'visually-hidden'}>{legend}</legend>
      {options.map(([option, label, title]) => (
        <label key={option} class="check" title={title}>
          <input
            type="radio"
            name={name}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** Milliseconds without a key before a text is used, such as to ask the API. */
export const PAUSE = 250

type PausedFieldProps = TextFieldProps & {
  readonly onTyping?: () => void
  readonly onSettled: (text: string) => void
  readonly onEnter?: (typed: string) => void
}

/** A text that is used after a pause in the typing, such as to search. Enter searches at once, or takes of what was found. */
export function PausedField({ onTyping, onSettled, onEnter, ...field }: PausedFieldProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  return (
    <TextField
      type="search"
      spellcheck={false}
      isHintLive
      {...field}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !onEnter) return
        event.preventDefault()
        clearTimeout(timer.current)
        onEnter(event.currentTarget.value.trim())
      }}
      onInput={({ currentTarget }) => {
        clearTimeout(timer.current)
        onTyping?.()
        timer.current = setTimeout(() => onSettled(currentTarget.value.trim()), PAUSE)
      }}
    />
  )
}

type ChoicesProps<Item> = {
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string | number
  /** Left out if a choice does something at once. */
  readonly isChosen?: (item: Item) => boolean
  readonly onPick: (item: Item) => void
  readonly children: (item: Item) => ComponentChildren
}

/** What was found, one button each. */
export function Choices<Item>({ items, keyOf, isChosen, onPick, children }: ChoicesProps<Item>) {
  return (
    <ul class="choices">
      {items.map((item) => (
        <li key={keyOf(item)}>
          <Button
            label={children(item)}
            class="quiet"
            aria-pressed={isChosen?.(item)}
            onClick={() => onPick(item)}
          />
        </li>
      ))}
    </ul>
  )
}

/** A choice with this one, or without it if it was chosen. */
export function toggled<One>(chosen: ReadonlySet<One>, one: One): ReadonlySet<One> {
  const next = new Set(chosen)
  if (!next.delete(one)) next.add(one)
  return next
}
