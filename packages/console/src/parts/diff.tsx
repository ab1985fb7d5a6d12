import type { ComponentChildren } from 'preact'
import type { Output } from '../../../client/src/index.ts'
import { KINDS, thingOf } from '../entries.ts'
import { textOf } from '../text.ts'
import { More } from './list.tsx'

type ItemChange = NonNullable<Output<'getHistoryEntry'>['items']>[number]
type ItemText = ItemChange['path'][number]
type ItemValue = NonNullable<ItemChange['from']>

/** Lines of one diff in the page. */
const MAX_LINES = 1000

/** The style of a line of a diff, by its beginning. The first one that fits is taken. */
const LINES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['diff-head', /^(?:---|\+\+\+) /],
  ['diff-part', /^(?:@@|\\)/],
  ['diff-added', /^\+/],
  ['diff-removed', /^-/],
]

type DiffProps = {
  readonly label: string
  readonly diff: string
  readonly items?: readonly ItemChange[] | undefined
  /** Titles of what `items` links, by type and id: `page 13`. */
  readonly titles?: Titles | undefined
}

/** A difference of two states, line by line, or the changes of the items of a menu. */
export function Diff({ label, diff, items, titles }: DiffProps) {
  if (items !== undefined && items.length > 0) return <ItemChanges {...{ items, titles }} />
  if (diff === '') return <p class="none">Nothing differs.</p>
  const lines = diff.trimEnd().split('\n')
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also without a pointer. */}
      <section class="diff" aria-label={label} tabIndex={0}>
        <pre dir="ltr">
          {lines.slice(0, MAX_LINES).map((line, at) => (
            <span key={at} class={`diff-line ${styleOf(line)}`}>
              {line === '' ? ' ' : line}
            </span>
          ))}
        </pre>
      </section>
      <More left={lines.length - MAX_LINES} one="line" />
    </>
  )
}

const styleOf = (line: string): string => LINES.find(([, pattern]) => pattern.test(line))?.[0] ?? ''

const TONES: Readonly<Record<string, string>> = {
  added: 'good',
  created: 'good',
  removed: 'bad',
  deleted: 'bad',
}

type ChangeLineProps = {
  readonly change: string
  readonly children: ComponentChildren
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** A change in one line: what was done to what, from what, and to what. */
export function ChangeLine({ change, children, from, to }: ChangeLineProps) {
  return (
    <>
      <span class={`badge ${TONES[change] ?? 'warn'}`}>{change}</span> {children}
      {Object.entries({ from, to }).map(
        ([direction, value]) =>
          value !== undefined && (
            <span key={direction} class="none">
              {' '}
              {direction} <bdi>{value}</bdi>
            </span>
          ),
      )}
    </>
  )
}

type Titles = Readonly<Record<string, string>>

type ItemChangesProps = {
  readonly items: readonly ItemChange[]
  readonly titles: Titles | undefined
}

function ItemChanges({ items, titles }: ItemChangesProps) {
  const shown = ({ text, link }: ItemText): string => {
    const title = link?.id === undefined ? undefined : titles?.[`${link.object} ${link.id}`]
    return title === undefined ? text : textOf(title)
  }
  const valueText = ({ position, text, link }: ItemValue): string => {
    const value = text === undefined ? undefined : shown({ text, link })
    if (position === undefined) return value || 'nothing'
    return value === undefined ? `${position} at the top` : `${position} of "${value}"`
  }
  const lineOf = ({ change, path, from, to }: ItemChange) => {
    const labels = path.map(shown)
    const [was, is] = [from && valueText(from), to && valueText(to)]
    // An item without a label of its own shows the title of what it links.
    const isShown =
      change === 'added' || change === 'removed' ? labels.at(-1) === (is ?? was) : false
    const values = isShown ? {} : { from: was, to: is }
    return { label: labels.join(' / '), ...values }
  }
  return (
    <ul class="changes">
      {items.slice(0, MAX_LINES).map((item, at) => {
        const { label, from, to } = lineOf(item)
        return (
          <li key={at}>
            <ChangeLine {...{ change: item.change, from, to }}>
              <bdi>{label}</bdi>
            </ChangeLine>
          </li>
        )
      })}
      <More left={items.length - MAX_LINES} one="change" as="li" />
    </ul>
  )
}

type WrittenThing = Output<'restoreSite'>['restored'][number]

/** What a write does to each thing. */
export function ThingDiffs({
  things = [],
}: {
  readonly things: readonly WrittenThing[] | undefined
}) {
  return (
    <>
      {things.map(({ diff, items, titles, ...thing }) => {
        const pages = { [thing.ref]: titles?.[`page ${thing.ref}`] ?? '' }
        const name = thingOf(thing, { users: {}, pages })
        return (
          <section key={`${thing.kind} ${thing.ref}`} class="stack">
            <h3>
              {KINDS[thing.kind]} <bdi>{name}</bdi> <span class="badge">{thing.action}</span>
            </h3>
            <Diff label={`Difference of ${name}`} {...{ diff, items, titles }} />
          </section>
        )
      })}
    </>
  )
}
