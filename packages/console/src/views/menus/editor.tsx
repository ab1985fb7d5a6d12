import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { maySend } from '../../current.ts'
import { Button } from '../../parts/fields.tsx'
import { useSaveKey } from '../../parts/keys.ts'
import { More } from '../../parts/list.tsx'
import { announce, Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { count } from '../../text.ts'
import { Conflict } from './conflict.tsx'
import { assignedText, type Draft, useEditedMenu } from './edited-menu.ts'
import { ADVICE, ItemForm } from './item-form.tsx'
import { MenuPreview } from './menu-preview.tsx'
import { OtherLanguage } from './other-language.tsx'
import { StoreDialog } from './store-dialog.tsx'
import { TargetSearch } from './target-search.tsx'
import {
  byKey,
  endOf,
  insertAfter,
  isChanged,
  moveByStep,
  moveTo,
  positionOf,
  type Step,
  type Tree,
  type TreeItem,
  without,
} from './tree.ts'
import { type Mark, TreeView, titleOf } from './tree-view.tsx'

/** Items that are listed above the tree; all are marked in it. */
const MAX_PROBLEMS = 20

/** The tree of a menu, the fields of the chosen item, and what can be added. */
export function Editor() {
  const { draft, menu, isRtl } = useEditedMenu()
  const isStoring = useSignal(false)
  const keysId = useId()
  const mayWrite = maySend('menus')
  useSaveKey(mayWrite && draft.isChanged ? () => (isStoring.value = true) : undefined)
  const tree = draft.tree.value
  const stored = byKey(draft.base.tree)
  const { index } = draft
  const problems = tree.flatMap((item, at) => (item.problem === null ? [] : [{ item, at }]))
  const choose = (at: number) => (draft.chosen.value = tree[at]?.key)
  const add = (item: TreeItem) =>
    draft.change(
      insertAfter(tree, index < 0 ? undefined : index, [item]),
      `${titleOf(item)} is added after ${index < 0 ? 'the last item' : titleOf(tree[index] as TreeItem)}.`,
    )

  return (
    <>
      <p class="lead">
        {assignedText(menu)}, {count(tree.length, 'item')}
      </p>
      <Conflict />
      {problems.length > 0 && (
        <Notice tone="warn" title={`Visitors cannot follow ${count(problems.length, 'item')}`}>
          <ul>
            {problems.slice(0, MAX_PROBLEMS).map(({ item, at }) => (
              <li key={item.key}>
                <Button label={titleOf(item)} class="quiet" onClick={() => choose(at)} dir="auto" />{' '}
                <span dir="auto">{item.problem}</span>
              </li>
            ))}
          </ul>
          <More left={problems.length - MAX_PROBLEMS} one="item" />
          <p>{ADVICE}</p>
        </Notice>
      )}
      <div class="columns">
        <section class="panel" aria-label="Items">
          <div class="panel-head">
            <h2>
              Items{' '}
              {draft.isChanged ? (
                <span class="badge warn">changed, not stored</span>
              ) : (
                <span class="badge">as stored</span>
              )}
            </h2>
            {mayWrite && (
              <div class="row">
                <Button
                  label="Undo step"
                  class="quiet"
                  disabled={draft.undoable.value === 0}
                  onClick={() => draft.undo()}
                />
                {draft.isChanged && (
                  <Button label="Discard" class="quiet" onClick={() => draft.discard()} />
                )}
                <Button
                  label="Save..."
                  class="primary"
                  disabled={!draft.isChanged}
                  onClick={() => (isStoring.value = true)}
                />
              </div>
            )}
          </div>
          {mayWrite && (
            <div class="row panel-body tree-tools" role="toolbar" aria-label="Move the chosen item">
              {STEPS.map(([direction, label]) => (
                <Button
                  key={direction}
                  label={label}
                  disabled={moveByStep(tree, index, direction) === undefined}
                  onClick={() => step(draft, direction)}
                />
              ))}
              <Button label="Remove" disabled={!tree[index]} onClick={() => remove(draft)} />
            </div>
          )}
          {tree.length === 0 && <p class="panel-body none">The menu has no items.</p>}
          <TreeView
            label={`Items of ${menu.name}`}
            tree={tree}
            isRtl={isRtl}
            chosen={index}
            marksOf={(item) => marksOf(item, stored)}
            onChoose={choose}
            {...(mayWrite
              ? {
                  describedBy: keysId,
                  onKey: (event: KeyboardEvent) => onKey(event, draft, isRtl),
                  onDrop: (drop) => {
                    const moved = moveTo(tree, drop.index, drop.to, drop.depth)
                    if (moved) draft.change(moved, whereIs(moved.tree, moved.index))
                  },
                }
              : {})}
          />
          {mayWrite && (
            <p class="hint panel-body" id={keysId}>
              Drag an item, or choose it with the arrow keys: Alt with an arrow moves it up, down,
              in and out, Enter goes to its fields, Delete removes it, Ctrl+Z undoes the last step.
            </p>
          )}
        </section>
        {mayWrite && (
          <div>
            <Panel title="Add items" className="adding">
              <TargetSearch label="Add" onPick={add} />
            </Panel>
            <Panel title="Fields">
              <ItemForm />
            </Panel>
          </div>
        )}
      </div>
      <OtherLanguage onAdd={mayWrite ? add : undefined} />
      <MenuPreview />
      {isStoring.value && <StoreDialog onClose={() => (isStoring.value = false)} />}
    </>
  )
}

function marksOf(item: TreeItem, stored: ReadonlyMap<number, TreeItem>): Mark[] {
  const before = stored.get(item.key)
  return [
    ...(item.problem === null ? [] : [{ tone: 'bad', text: 'broken' } as const]),
    ...(before === undefined ? [{ tone: 'good', text: 'new' } as const] : []),
    ...(before && isChanged(item, before) ? [{ tone: 'warn', text: 'changed' } as const] : []),
    ...(item.fields.target === '_blank' ? [{ tone: '', text: 'new tab' } as const] : []),
  ]
}

function onKey(event: KeyboardEvent, draft: Draft, isRtl: boolean): void {
  const { key, altKey, ctrlKey, metaKey } = event
  const direction = altKey ? stepOfKey(key, isRtl) : undefined
  const isUndo = (ctrlKey || metaKey) && key === 'z'
  if (direction) step(draft, direction)
  else if (isUndo) draft.undo()
  else if (key === 'Delete') remove(draft)
  else if (key === 'Enter') document.getElementById('item-title')?.focus()
  else return
  event.preventDefault()
}

/** The buttons that move the chosen item. */
const STEPS = [
  ['up', 'Up'],
  ['down', 'Down'],
  ['indent', 'Indent'],
  ['outdent', 'Outdent'],
] as const

/** The step of a key that is pressed with Alt. Where text runs from right to left, the left arrow leads inwards. */
function stepOfKey(key: string, isRtl: boolean): Step | undefined {
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
function step(draft: Draft, direction: Step): void {
  const moved = moveByStep(draft.tree.value, draft.index, direction)
  if (moved) draft.change(moved, whereIs(moved.tree, moved.index))
  else announce(`Not moved. ${REFUSALS[direction]}`)
}

/** Removes the chosen item with everything below it. */
function remove(draft: Draft): void {
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
function whereIs(tree: Tree, index: number): string {
  const { number, of, parent } = positionOf(tree, index)
  const [item, above] = [tree[index], tree[parent]]
  const level = above ? `below ${titleOf(above)}` : 'at the top level'
  return `${item ? titleOf(item) : ''}, ${number} of ${of} ${level}.`
}
