import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { maySend } from '../../current.ts'
import { useSaveKey } from '../../parts/keys.ts'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { count } from '../../text.ts'
import { Conflict } from './conflict.tsx'
import type { Draft } from './draft.ts'
import { useEditedMenu } from './edited-menu.ts'
import { ADVICE, ItemForm } from './item-form.tsx'
import { assignedText } from './locations.ts'
import { MenuPreview } from './menu-preview.tsx'
import { OtherLanguage } from './other-language.tsx'
import { remove, STEPS, step, stepOfKey, whereIs } from './steps.ts'
import { StoreDialog } from './store-dialog.tsx'
import { TargetSearch } from './target-search.tsx'
import {
  byKey,
  insertAfter,
  isChanged,
  moveByStep,
  moveTo,
  type Tree,
  type TreeItem,
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
                <button type="button" class="quiet" onClick={() => choose(at)} dir="auto">
                  {titleOf(item)}
                </button>{' '}
                <span dir="auto">{item.problem}</span>
              </li>
            ))}
          </ul>
          {problems.length > MAX_PROBLEMS && (
            <p>and {count(problems.length - MAX_PROBLEMS, 'more item')}</p>
          )}
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
                <button
                  type="button"
                  class="quiet"
                  disabled={draft.undoable.value === 0}
                  onClick={() => draft.undo()}
                >
                  Undo step
                </button>
                {draft.isChanged && (
                  <button type="button" class="quiet" onClick={() => draft.discard()}>
                    Discard
                  </button>
                )}
                <button
                  type="button"
                  class="primary"
                  disabled={!draft.isChanged}
                  onClick={() => (isStoring.value = true)}
                >
                  Save...
                </button>
              </div>
            )}
          </div>
          {mayWrite && <Toolbar draft={draft} />}
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

function Toolbar({ draft }: { readonly draft: Draft }) {
  const tree: Tree = draft.tree.value
  const { index } = draft
  const item = tree[index]
  return (
    <div class="row panel-body tree-tools" role="toolbar" aria-label="Move the chosen item">
      {STEPS.map(([direction, label]) => (
        <button
          key={direction}
          type="button"
          disabled={!item || moveByStep(tree, index, direction) === undefined}
          onClick={() => step(draft, direction)}
        >
          {label}
        </button>
      ))}
      <button type="button" disabled={!item} onClick={() => remove(draft)}>
        Remove
      </button>
    </div>
  )
}
