import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { Diff } from '../parts/diff.tsx'
import { Button, Radios } from '../parts/fields.tsx'
import { Notice } from '../parts/notice.tsx'
import { count } from '../text.ts'
import { diffTexts, type MergePart, mergeTexts } from './merge.ts'

type Choice = 'mine' | 'theirs' | 'both'

const CHOICES: readonly (readonly [Choice, string])[] = [
  ['mine', 'Yours'],
  ['theirs', 'Theirs'],
  ['both', 'Both, theirs first'],
]

type ConflictProps = {
  readonly slug: string
  /** Who has changed the frame, and when. */
  readonly by: ComponentChildren
  readonly base: string
  readonly mine: string
  readonly theirs: string
  /** The merged text; it is not stored yet. */
  readonly onMerged: (text: string) => void
  readonly onLater: () => void
}

/** Two changes of one frame: shows both, merges them, and asks about the parts that both have changed. */
export function Conflict({ slug, by, base, mine, theirs, onMerged, onLater }: ConflictProps) {
  const parts = useMemo(() => mergeTexts(base, mine, theirs), [base, mine, theirs])
  const chosen = useSignal<Readonly<Record<number, Choice>>>({})
  const open = parts.flatMap((part, at) => (part.kind === 'conflict' ? [{ part, at }] : []))
  const left = open.filter(({ at }) => chosen.value[at] === undefined).length
  return (
    <section class="panel" aria-label="Two changes">
      <div class="panel-head">
        <h2>Two changes of {slug}</h2>
        <div class="row">
          <Button label="Decide later" class="quiet" onClick={onLater} />
          <Button
            label="Use the merged text"
            class="primary"
            disabled={left > 0}
            onClick={() => onMerged(mergedText(parts, chosen.value))}
          />
        </div>
      </div>
      <div class="panel-body stack">
        <Notice tone="warn">
          <p role="status">
            The frame was changed {by}, after you began. Nothing is stored and nothing is lost.{' '}
            {open.length === 0
              ? 'The changes do not touch the same lines, so the merged text has both.'
              : `${count(open.length, 'part')} changed by both: choose for each, ${left} left. You can edit the merged text before you save it.`}
          </p>
        </Notice>
        <div class="stack side-by-side">
          <section class="stack">
            <h3>Their change</h3>
            <Diff label="Their change" diff={diffTexts(base, theirs)} />
          </section>
          <section class="stack">
            <h3>Your change</h3>
            <Diff label="Your change" diff={diffTexts(base, mine)} />
          </section>
        </div>
        {open.map(({ part, at }, index) => (
          <fieldset key={at} class="conflict">
            <legend>
              Part {index + 1} of {open.length}
            </legend>
            <div class="stack side-by-side">
              <Diff label="Theirs" diff={replacing(part.base, part.theirs)} />
              <Diff label="Yours" diff={replacing(part.base, part.mine)} />
            </div>
            <Radios
              legend="Use"
              className="checks"
              name={`part-${at}`}
              options={CHOICES}
              value={chosen.value[at]}
              onChange={(choice) => (chosen.value = { ...chosen.value, [at]: choice })}
            />
          </fieldset>
        ))}
      </div>
    </section>
  )
}

/** The difference of lines that are replaced as a whole. */
const replacing = (from: readonly string[], to: readonly string[]): string =>
  [...from.map((line) => `-${line}`), ...to.map((line) => `+${line}`)].join('\n')

const mergedText = (
  parts: readonly MergePart[],
  chosen: Readonly<Record<number, Choice>>,
): string =>
  parts
    .flatMap((part, at) => {
      if (part.kind === 'settled') return part.lines
      const { mine, theirs } = part
      return { mine, theirs, both: [...theirs, ...mine] }[chosen[at] ?? 'both']
    })
    .join('\n')
