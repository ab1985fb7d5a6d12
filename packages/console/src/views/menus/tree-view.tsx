import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { useSite } from '../../current.ts'
import { decodedPath, shortAddress, textOf } from '../../text.ts'
import { type Drag, ROW, useDrag } from './drag.ts'
import { positionOf, type Tree, type TreeItem } from './tree.ts'

/** Levels that are indented; deeper ones have the indentation of the last one. */
const MAX_INDENTED = 8
/** Rows that are rendered above and below those that are visible. */
const MARGIN = 8

/** A word about an item. */
export type Mark = { readonly tone: '' | 'good' | 'warn' | 'bad'; readonly text: string }

type TreeViewProps = {
  readonly label: string
  /** Id of the text about its keys. */
  readonly describedBy?: string
  readonly tree: Tree
  readonly isRtl: boolean
  readonly chosen: number
  readonly marksOf: (item: TreeItem) => readonly Mark[]
  readonly onChoose: (index: number) => void
  readonly onKey?: (event: KeyboardEvent) => void
  /** An item was dropped. */
  readonly onDrop?: (drop: Drag) => void
}

/** The items of a menu, of which only those in view are in the page. One of them is chosen: with the arrow keys, or by a click. */
export function TreeView({
  label,
  describedBy,
  tree,
  isRtl,
  chosen,
  marksOf,
  onChoose,
  onKey,
  onDrop,
}: TreeViewProps) {
  const { home } = useSite()
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const first = useSignal(0)
  const visible = useSignal(20)
  const drag = useDrag({ box, tree, isRtl, onDrop })

  useEffect(() => {
    const { current } = box
    if (!current) return
    const measure = new ResizeObserver(
      () => (visible.value = Math.ceil(current.clientHeight / ROW)),
    )
    measure.observe(current)
    return () => measure.disconnect()
  }, [])
  useEffect(() => {
    const { current } = box
    if (!current || chosen < 0) return
    const [top, bottom] = [chosen * ROW, (chosen + 1) * ROW]
    if (top < current.scrollTop) current.scrollTop = top
    else if (bottom > current.scrollTop + current.clientHeight)
      current.scrollTop = bottom - current.clientHeight
  }, [chosen, tree])

  const start = Math.max(0, first.value - MARGIN)
  const end = Math.min(tree.length, first.value + visible.value + MARGIN)
  const shown = tree.slice(start, end).map((item, at) => ({ item, index: start + at }))
  const current = tree[chosen]
  const dragged = tree[drag.line.value?.index ?? -1]
  // The item that is marked is the one that is dragged.
  useEffect(() => {
    if (dragged) onChoose(tree.indexOf(dragged))
  }, [dragged?.key])
  // The chosen item is always in the page, because the tree names it as the active one.
  if (current && (chosen < start || chosen >= end)) shown.push({ item: current, index: chosen })

  return (
    <div
      ref={box}
      class="branches"
      role="tree"
      aria-label={label}
      aria-describedby={describedBy}
      dir={isRtl ? 'rtl' : 'ltr'}
      tabIndex={0}
      aria-activedescendant={current && `${id}-${current.key}`}
      onClick={({ currentTarget, target }) => {
        const row = (target as Element).closest<HTMLElement>('[data-index]')
        if (!row) return
        onChoose(Number(row.dataset.index))
        // Rows come and go, so the focus stays on the tree.
        currentTarget.focus({ preventScroll: true })
      }}
      onScroll={({ currentTarget }) => (first.value = Math.floor(currentTarget.scrollTop / ROW))}
      onKeyDown={(event) => {
        const to = targetOfKey(event, tree, chosen, isRtl)
        if (to === undefined) return onKey?.(event)
        event.preventDefault()
        onChoose(to)
      }}
      {...drag.handlers}
    >
      <div class="branches-height" role="none" style={{ blockSize: `${tree.length * ROW}px` }}>
        {shown.map(({ item, index }) => {
          const { number, of } = positionOf(tree, index)
          const [title, url] = [titleOf(item), urlOf(item)]
          return (
            <div
              key={item.key}
              id={`${id}-${item.key}`}
              class={index === drag.line.value?.index ? 'branch dragged' : 'branch'}
              role="treeitem"
              data-index={index}
              aria-level={item.depth + 1}
              aria-posinset={number}
              aria-setsize={of}
              aria-selected={index === chosen}
              style={{
                insetBlockStart: `${index * ROW}px`,
                paddingInlineStart: `${0.5 + 1.25 * Math.min(item.depth, MAX_INDENTED)}rem`,
              }}
              tabIndex={-1}
            >
              {onDrop && (
                <span class="grip" aria-hidden="true">
                  ⠿
                </span>
              )}
              <span class="branch-text">
                <span class="branch-title" title={title}>
                  <bdi>{title}</bdi>
                  {marksOf(item).map(({ tone, text }) => (
                    <span key={text} class={`badge ${tone}`}>
                      {text}
                    </span>
                  ))}
                </span>
                <span class="branch-url" title={decodedPath(url)}>
                  <bdi dir="ltr">{shortAddress(url, home)}</bdi>
                </span>
              </span>
            </div>
          )
        })}
        {drag.line.value && (
          <div
            class="drop-line"
            role="none"
            style={{
              insetBlockStart: `${drag.line.value.slot * ROW - 1}px`,
              marginInlineStart: `${0.5 + 1.25 * Math.min(drag.line.value.depth, MAX_INDENTED)}rem`,
            }}
          >
            {dragged && <bdi>{titleOf(dragged)}</bdi>}
          </div>
        )}
      </div>
    </div>
  )
}

/** The index that a key leads to; undefined for other keys. */
function targetOfKey(
  { key, altKey, ctrlKey, metaKey }: KeyboardEvent,
  tree: Tree,
  chosen: number,
  isRtl: boolean,
): number | undefined {
  if (altKey || ctrlKey || metaKey) return undefined
  const [inwards, outwards] = isRtl ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
  const last = tree.length - 1
  switch (key) {
    case 'ArrowDown':
      return Math.min(chosen + 1, last)
    case 'ArrowUp':
      return Math.max(chosen - 1, 0)
    case 'PageDown':
      return Math.min(chosen + 10, last)
    case 'PageUp':
      return Math.max(chosen - 10, 0)
    case 'Home':
      return 0
    case 'End':
      return last
    case outwards:
      return chosen < 0 ? 0 : Math.max(positionOf(tree, chosen).parent, 0)
    case inwards:
      return (tree[chosen + 1]?.depth ?? 0) > (tree[chosen]?.depth ?? 0) ? chosen + 1 : chosen
    default:
      return undefined
  }
}

/** The title of an item as visitors read it. */
export const titleOf = ({ fields, target, key }: TreeItem): string =>
  textOf(fields.title || target.title) || (key > 0 ? `Item ${key}` : 'New item')

/** Where an item leads. */
export const urlOf = ({ fields, target }: TreeItem): string =>
  fields.type === 'custom' ? fields.url : target.url
