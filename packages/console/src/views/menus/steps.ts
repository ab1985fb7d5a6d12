import { announce } from '../../parts/notice.tsx'
import { count } from '../../text.ts'
import type { Draft } from './draft.ts'
import { endOf, moveByStep, positionOf, type Step, type Tree, without } from './tree.ts'
import { titleOf } from './tree-view.tsx'

/** The buttons that move the chosen item. */
export const STEPS = [
  ['up', 'Up'],
  ['down', 'Down'],
  ['indent', 'Indent'],
  ['outdent', 'Outdent'],
] as const

/** The step of a key that is pressed with Alt. Where text runs from right to left, the left arrow leads inwards. */
export function stepOfKey(key: string, isRtl: boolean): Step | undefined {
  if (key === 'ArrowUp') return 'up'
  if (key === 'ArrowDown') return 'down'
  if (key === 'ArrowRight') return isRtl ? 'outdent' : 'indent'
  return key === 'ArrowLeft' ? (isRtl ? 'indent' : 'outdent') : undefined
}

const REFUSALS: Readonly<Record<Step, string>> = {
  up: 'It is the first item of its level.',
  down: 'It is the last item of its level.',
  indent: 'There is no item before it on its level.',
  outdent: 'It is at the top level.',
}

/** Moves the chosen item, and says where it is. */
export function step(draft: Draft, direction: Step): void {
  const moved = moveByStep(draft.tree.value, draft.index, direction)
  if (moved) draft.change(moved, whereIs(moved.tree, moved.index))
  else announce(`Not moved. ${REFUSALS[direction]}`)
}

/** Removes the chosen item with everything below it. */
export function remove(draft: Draft): void {
  const tree = draft.tree.value
  const { index } = draft
  const item = tree[index]
  if (!item) return
  const below = endOf(tree, index) - index - 1
  const rest = without(tree, index)
  const more = below === 0 ? '' : ` with ${count(below, 'item')} below it`
  draft.change(
    { tree: rest, index: Math.min(index, rest.length - 1) },
    `${titleOf(item)} is removed${more}.`,
  )
}

/** `Team, 2 of 3 below About us.` */
export function whereIs(tree: Tree, index: number): string {
  const { number, of, parent } = positionOf(tree, index)
  const [item, above] = [tree[index], tree[parent]]
  const level = above ? `below ${titleOf(above)}` : 'at the top level'
  return `${item ? titleOf(item) : ''}, ${number} of ${of} ${level}.`
}
