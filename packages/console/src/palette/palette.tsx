import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { announce } from '../parts/notice.tsx'
import { count } from '../text.ts'
import { type Group, type Target, useTargets } from './targets.ts'

/** Milliseconds without a key before the API is asked. */
const PAUSE = 250

/** Searches for something to go to: a field with a list of results, which the arrow keys choose from. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const text = useSignal('')
  const searched = useSignal('')
  /** By its key: results of other kinds may arrive later above it. Undefined for the first. */
  const chosen = useSignal<string | undefined>(undefined)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const groups = useTargets(searched.value, text.value.trim())
  const targets = groups.flatMap((group) => group.targets)
  const isLoading = groups.some((group) => group.isLoading)
  const found = targets.findIndex((target) => keyOf(target) === chosen.value)
  const at = Math.max(found, 0)
  // A screen reader reads the active option instead of the field, so there is none before the first key.
  const isUsed = chosen.value !== undefined || text.value !== ''

  useEffect(() => {
    const timer = setTimeout(() => {
      searched.value = text.value.trim()
      chosen.value = undefined
    }, PAUSE)
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
        {withStarts(groups).map(({ group, start }) => (
          <Options key={group.name} {...{ group, start, id, at }} onGo={go} />
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

/** The groups that have targets, with the number of targets before them. */
function withStarts(groups: readonly Group[]) {
  let start = 0
  return groups.flatMap((group) => {
    const own = { group, start }
    start += group.targets.length
    return group.targets.length > 0 ? [own] : []
  })
}

type OptionsProps = {
  readonly group: Group
  readonly start: number
  readonly id: string
  readonly at: number
  readonly onGo: (target: Target) => void
}

function Options({ group: { name, targets }, start, id, at, onGo }: OptionsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: options are no fields.
    <div role="group" aria-label={name}>
      <p class="palette-name" aria-hidden="true">
        {name}
      </p>
      {targets.map((target, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and names the active option.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys.
        <div
          key={keyOf(target)}
          id={`${id}-${start + index}`}
          class="palette-option"
          role="option"
          aria-selected={start + index === at}
          onClick={() => onGo(target)}
        >
          <bdi>{target.label}</bdi> <bdi class="none">{target.note}</bdi>
        </div>
      ))}
    </div>
  )
}
