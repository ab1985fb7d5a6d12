import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Output, ServiceError } from '../../../packages/client/src/index.ts'
import { api, asServiceError } from '../../client.ts'
import { Confirm, Dialog } from '../../parts/dialog.tsx'
import { Diff } from '../../parts/diff.tsx'
import { Loading } from '../../parts/loaded.tsx'
import { announce, ErrorNotice, Notice } from '../../parts/notice.tsx'
import { requestIdOf, type Undoable } from '../../parts/undo.tsx'
import { path } from '../../router.ts'
import type { Draft } from './draft.ts'
import type { Menu } from './locations.ts'
import { itemsToSend, type TreeItem } from './tree.ts'
import { titleOf } from './tree-view.tsx'

type Answer = Output<'runBatch'>

/** Stores the tree of a menu: first shows what that changes, then asks. */
export function StoreDialog({
  site,
  draft,
  menu: { id, name },
  onClose,
  onDone,
  onReload,
}: {
  readonly site: number
  readonly draft: Draft
  readonly menu: Menu
  readonly onClose: () => void
  readonly onDone: (done: Undoable) => void
  /** Reads the menu again, which somebody else has stored. */
  readonly onReload: () => void
}) {
  const would = useSignal<Answer | undefined>(undefined)
  const error = useSignal<ServiceError | undefined>(undefined)
  const { items, indexes } = itemsToSend(draft.tree.value, draft.base.tree)
  const send = (more: { readonly dry_run?: boolean; readonly plan?: string }) =>
    api().runBatch({
      site_id: site,
      body: {
        ...more,
        requests: [
          {
            method: 'PUT',
            path: path`/menus/${id}/items`,
            headers: { 'If-Match': draft.base.etag },
            body: { items, keep: true },
          },
        ],
      },
    })
  useEffect(() => {
    send({ dry_run: true }).then(
      (answer) => {
        would.value = answer
      },
      (caught) => {
        error.value = asServiceError(caught)
      },
    )
  }, [])
  const store = async () => {
    try {
      const answer = await send(would.value?.plan === undefined ? {} : { plan: would.value.plan })
      draft.forget()
      announce(`${name} is stored.`)
      onClose()
      onDone({ done: `${name} is stored.`, requestId: requestIdOf(answer) })
    } catch (caught) {
      error.value = asServiceError(caught)
      would.value = undefined
    }
  }
  const found = would.value?.diffs ?? []
  return (
    <Dialog title={`Store ${name}`} onClose={onClose}>
      {!would.value && !error.value && <Loading />}
      {error.value && (
        <Refusal
          error={error.value}
          itemAt={(at) => draft.tree.value[indexes.get(at) ?? -1]}
          onReload={() => {
            draft.keepNow()
            onClose()
            onReload()
          }}
        />
      )}
      {would.value &&
        (found.length === 0 ? (
          <p>Only the order of items that the menu numbers otherwise would change.</p>
        ) : (
          found.map(({ kind, ref, diff, items: changes }) => (
            <Diff
              key={`${kind} ${ref}`}
              label={`What changes in ${name}`}
              diff={diff}
              items={changes}
            />
          ))
        ))}
      <Confirm label="Store" onConfirm={would.value && store} onClose={onClose} />
    </Dialog>
  )
}

type ItemError = { readonly at: string; readonly message: string }

/** Why the tree cannot be stored. */
function Refusal({
  error,
  itemAt,
  onReload,
}: {
  readonly error: ServiceError
  readonly itemAt: (at: string) => TreeItem | undefined
  readonly onReload: () => void
}) {
  if (error.code === 'precondition_failed')
    return (
      <Notice tone="bad" title="Somebody else has stored this menu">
        <p>
          Nothing was stored. Read the menu again: your changes are kept beside it, so that you can
          compare them.
        </p>
        <p class="notice-foot">
          <button type="button" onClick={onReload}>
            Read it again, and keep mine
          </button>
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
