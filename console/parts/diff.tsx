import type { ComponentChildren } from 'preact'
import type { Output } from '../../packages/client/src/index.ts'
import { count, textOf } from '../text.ts'

type ItemChange = NonNullable<Output<'getHistoryEntry'>['items']>[number]

/** Lines of one diff in the page. */
const MAX_LINES = 1000

/** The style of a line of a diff, by its beginning. The first one that fits is taken. */
const LINES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['diff-head', /^(?:---|\+\+\+) /],
  ['diff-part', /^(?:@@|\\)/],
  ['diff-added', /^\+/],
  ['diff-removed', /^-/],
]

/** A difference of two states, line by line, or the changes of the items of a menu. */
export function Diff({
  label,
  diff,
  items,
  titles,
}: {
  readonly label: string
  readonly diff: string
  readonly items?: readonly ItemChange[] | undefined
  /** Titles of what `items` names by type and id: `page 13`. */
  readonly titles?: Titles | undefined
}) {
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
      {lines.length > MAX_LINES && (
        <p class="none">and {count(lines.length - MAX_LINES, 'more line')}</p>
      )}
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

/** A change in one line: what was done to what, from what, and to what. */
export function ChangeLine({
  change,
  children,
  from,
  to,
}: {
  readonly change: string
  readonly children: ComponentChildren
  readonly from?: string | undefined
  readonly to?: string | undefined
}) {
  return (
    <>
      <span class={`badge ${TONES[change] ?? 'warn'}`}>{change}</span> {children}
      {from !== undefined && (
        <span class="none">
          {' '}
          from <bdi>{from}</bdi>
        </span>
      )}
      {to !== undefined && (
        <span class="none">
          {' '}
          to <bdi>{to}</bdi>
        </span>
      )}
    </>
  )
}

type Titles = Readonly<Record<string, string>>

function ItemChanges({
  items,
  titles,
}: {
  readonly items: readonly ItemChange[]
  readonly titles: Titles | undefined
}) {
  // As it is, in quotes, or as in `2 of "page 13"`.
  const named = (text: string) =>
    text.replace(/^(\d+ of ")?("?)([a-z0-9_-]+ \d+)("?)$/, (whole, above = '', _, link, end) => {
      const title = titles?.[link]
      if (title === undefined) return whole
      return above === '' ? textOf(title) : `${above}${textOf(title)}${end}`
    })
  const lineOf = ({ change, path, from, to }: ItemChange) => {
    // In a path, only a label is in quotes.
    const labels = path.map((one) => (one.startsWith('"') ? one : named(one)))
    const label = labels.join(' / ')
    const target = to && named(to)
    // An item without a label of its own shows the title of what it links.
    const isShown = change === 'added' && target === labels.at(-1)
    return { label, from: from && named(from), to: isShown ? undefined : target }
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
      {items.length > MAX_LINES && (
        <li class="none">and {count(items.length - MAX_LINES, 'more change')}</li>
      )}
    </ul>
  )
}
