import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { ServiceError } from '../../../../client/src/index.ts'
import { ThingDiffs } from '../../parts/diff.tsx'
import { Button } from '../../parts/fields.tsx'
import { ErrorNotice, Notice } from '../../parts/notice.tsx'
import { BatchDialog } from '../../parts/write-dialog.tsx'
import { path } from '../../router.ts'
import type { Write } from '../../writes.ts'
import { useEditedMenu } from './edited-menu.ts'
import { MenuPreview } from './menu-preview.tsx'
import { itemsToSend, type TreeItem } from './tree.ts'
import { titleOf } from './tree-view.tsx'

/** Stores the tree of a menu: first shows what that changes, then asks. */
export function StoreDialog({ onClose }: { readonly onClose: () => void }) {
  const { draft, menu, reload } = useEditedMenu()
  const { id, name } = menu
  const error = useSignal<ServiceError | undefined>(undefined)
  const { writes, indexes } = useMemo(() => {
    const { items, indexes } = itemsToSend(draft.tree.value, draft.base.tree)
    const write: Write = {
      method: 'PUT',
      path: path`/menus/${id}/items`,
      headers: { 'If-Match': draft.base.etag },
      body: { items, keep: true },
    }
    return { writes: [write], indexes }
  }, [])
  return (
    <BatchDialog
      title={`Save ${name}`}
      label="Save"
      writes={error.value ? undefined : writes}
      done={`${name} saved.`}
      onStored={() => {
        draft.forget()
        reload()
      }}
      onError={(caught) => {
        if (caught.code === 'plan_changed') return false
        error.value = caught
        return true
      }}
      onClose={onClose}
      input={
        error.value && (
          <Refusal
            error={error.value}
            itemAt={(at) => draft.tree.value[indexes.get(at) ?? -1]}
            onReload={() => {
              onClose()
              reload()
            }}
          />
        )
      }
    >
      {({ diffs }) =>
        !diffs?.length ? (
          <p>Visitors see the same: only the numbers of the items change.</p>
        ) : (
          <>
            <ThingDiffs things={diffs} />
            <MenuPreview isAsked />
          </>
        )
      }
    </BatchDialog>
  )
}

type ItemError = { readonly at: string; readonly message: string }

type RefusalProps = {
  readonly error: ServiceError
  readonly itemAt: (at: string) => TreeItem | undefined
  readonly onReload: () => void
}

/** Why the tree cannot be stored. */
function Refusal({ error, itemAt, onReload }: RefusalProps) {
  if (error.code === 'precondition_failed')
    return (
      <Notice tone="bad" title="Somebody else has stored this menu">
        <p>
          Nothing was stored. Read the menu again: your changes are kept beside it, so that you can
          compare them.
        </p>
        <p class="row">
          <Button label="Read it again, and keep mine" onClick={onReload} />
        </p>
      </Notice>
    )
  const { errors = [], invalid = [] } = error.fields as {
    readonly errors?: readonly ItemError[]
    readonly invalid?: readonly ItemError[]
  }
  return (
    <>
      <ErrorNotice error={error} />
      {errors.length + invalid.length > 0 && (
        <ul class="problems">
          {[...errors, ...invalid].map(({ at, message }) => {
            const item = itemAt(at)
            return (
              <li key={at}>
                {item && (
                  <>
                    <strong dir="auto">{titleOf(item)}</strong>:{' '}
                  </>
                )}
                <span dir="auto">{message}</span>
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}
