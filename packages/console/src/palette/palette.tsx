import { useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { PAUSE } from '../parts/fields.tsx'
import { announce } from '../parts/notice.tsx'
import { count } from '../text.ts'
import { type Target, useTargets } from './targets.ts'

/** Searches for something to go to: a field with a list of results, which the arrow keys choose from. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const text = useSignal('')
  const searched = useSignal('')
  /** By its key: results of other kinds may arrive later above it. Undefined for the first. */
  const chosen = useSignal<string | undefined>(undefined)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const groups = useTargets(searched.value, text.value.trim())
  const shown = groups.filter((group) => group.targets.length > 0)
  const targets = shown.flatMap((group) => group.targets)
  const isLoading = groups.some((group) => group.isLoading)
  const found = targets.findIndex((target) => keyOf(target) === chosen.value)
  const at = Math.max(found, 0)
  // A screen reader reads the active option instead of the field, so there is none before the first key.
  const isUsed = chosen.value !== undefined || text.value !== ''

  useLayoutEffect(() => {
    chosen.value = undefined
    const timer = setTimeout(() => (searched.value = text.value.trim()), PAUSE)
    return () => clearTimeout(timer)
  }, [text.value])
  const summary = isLoading ? 'Searching...' : count(targets.length, 'result')
  useEffect(() => {
    if (searched.value !== '') announce(summary)
  }, [summary, searched.value])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [at, targets.length])

  const go = (target: Target | undefined) => {
    if (!target) return
    onClose()
    // The dialog of an action opens when this one is gone.
    if (target.run) setTimeout(target.run)
    else location.hash = target.href
  }
  const move = (by: number) => {
    const next = targets[(at + by + targets.length) % targets.length]
    if (next) chosen.value = keyOf(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const by = moves[event.key]
    if (by !== undefined) move(by)
    else if (event.key === 'Enter') go(targets[at])
    else return
    event.preventDefault()
  }

  return (
    <Dialog title="Search" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label="Go to"
        aria-expanded={targets.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={isUsed && targets.length > 0 ? `${id}-${at}` : undefined}
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        placeholder="A frame, menu, page, site, view or action"
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="palette" id={id} role="listbox" aria-label="Results" ref={list}>
        {shown.map(({ name, targets: own }) => (
          // biome-ignore lint/a11y/useSemanticElements: options are no fields.
          <div key={name} role="group" aria-label={name}>
            <p class="palette-name" aria-hidden="true">
              {name}
            </p>
            {own.map((target) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and names the active option.
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys.
              <div
                key={keyOf(target)}
                id={`${id}-${targets.indexOf(target)}`}
                class="palette-option"
                role="option"
                aria-selected={target === targets[at]}
                onClick={() => go(target)}
              >
                <bdi>{target.label}</bdi> <bdi class="none">{target.note}</bdi>
              </div>
            ))}
          </div>
        ))}
      </div>
      {groups.map(
        ({ name, error }) =>
          error && (
            <p key={name} class="hint" dir="auto">
              {name}: {error}
            </p>
          ),
      )}
      {targets.length === 0 && (
        <p class="none">{isLoading ? 'Searching...' : 'Nothing fits the search.'}</p>
      )}
    </Dialog>
  )
}

/** A view and the site may have the same address. */
const keyOf = ({ href, label }: Target): string => href + label
