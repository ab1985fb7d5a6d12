import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isServiceError, type Output } from '../../packages/client/src/index.ts'
import { api } from '../client.ts'
import { Notice } from '../parts/notice.tsx'
import { ThingDiffs } from '../parts/thing-diffs.tsx'
import { WriteDialog } from '../parts/write-dialog.tsx'
import { linkTo, path } from '../router.ts'
import { count } from '../text.ts'
import { requestIdOf, storeWrites, tryWrites, type Written } from '../writes.ts'
import { undoing } from './frame-changes.ts'
import type { Saved } from './save-dialog.tsx'

/** Pause between two questions about the work, in milliseconds. */
const ASK_EVERY_MS = 2000

/** What a save has built, what is still to be built, and the way back. */
export function AfterSave({
  site,
  saved,
  onUndone,
  onClose,
}: {
  readonly site: number
  readonly saved: Saved
  readonly onUndone: () => void
  readonly onClose: () => void
}) {
  const isUndoing = useSignal(false)
  const { written } = saved
  const pending = usePending(site, written)
  const failed = failureIn(written)
  return (
    <Notice tone={failed === undefined ? 'good' : 'warn'} title="Saved">
      <p role="status">
        {failed ?? (pending === undefined ? builtIn(written) : describePending(pending))}{' '}
        {(failed !== undefined || pending !== undefined) && (
          <a href={linkTo(`/sites/${site}/work`)}>Work of the site</a>
        )}
      </p>
      <div class="row">
        <button type="button" onClick={() => (isUndoing.value = true)}>
          Undo this save
        </button>
        {saved.changes.length === 1 &&
          saved.changes.map(({ slug }) => (
            <a key={slug} class="button" href={linkTo(path`/sites/${site}/frames/${slug}`)}>
              Show the frame
            </a>
          ))}
        <a
          class="button"
          href={linkTo(`/sites/${site}/history`, { request: requestIdOf(written) })}
        >
          Show it in the history
        </a>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      {isUndoing.value && (
        <UndoDialog
          {...{ site, saved, onUndone }}
          onClose={() => {
            isUndoing.value = false
          }}
        />
      )}
    </Notice>
  )
}

type Pending = Pick<NonNullable<Written['pending']>, 'pages' | 'frames'>

/** What is still to be built; undefined when everything is. */
function usePending(site: number, written: Written): Pending | undefined {
  const pending = useSignal<Pending | undefined>(written.pending)
  useEffect(() => {
    pending.value = written.pending
    if (written.pending === undefined) return undefined
    const abort = new AbortController()
    const ask = async () => {
      const work = await api()
        .getWork({ site_id: site }, { signal: abort.signal })
        .catch((): Output<'getWork'> | undefined => undefined)
      if (abort.signal.aborted) return
      if (work) pending.value = stillIn(work)
      if (pending.value !== undefined) timer = setTimeout(ask, ASK_EVERY_MS)
    }
    let timer = setTimeout(ask, ASK_EVERY_MS)
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [written])
  return pending.value
}

const stillIn = ({ pending: { pages, frames } }: Output<'getWork'>): Pending | undefined =>
  pages + frames > 0 ? { pages, frames } : undefined

const describePending = ({ pages, frames }: Pending): string =>
  `Stored. Still to be built on this site: ${[
    ...(frames > 0 ? [count(frames, 'frame')] : []),
    ...(pages > 0 ? [count(pages, 'page')] : []),
  ].join(' and ')}. It goes on in the background.`

function builtIn({ rebaked }: Written): string {
  const baked = rebaked?.baked ?? 0
  return baked === 0
    ? 'Stored, and everything is built.'
    : `Stored, and everything is built: ${count(baked, 'frame')} baked.`
}

/** Why a part was not built, in the message of the service. */
function failureIn({ rebaked, republish }: Written): string | undefined {
  if (rebaked?.status === 'failed')
    return `Stored, but not built: ${rebaked.message ?? count(rebaked.failed, 'frame')}.`
  if (republish?.status === 'failed' || republish?.status === 'unavailable')
    return `Stored, but not published: ${republish.message ?? republish.status}.`
  return undefined
}

/** Takes exactly one save back. Refused if somebody has changed one of its frames since, so nobody else's change is lost. */
function UndoDialog({
  site,
  saved: { changes, written },
  onUndone,
  onClose,
}: {
  readonly site: number
  readonly saved: Saved
  readonly onUndone: () => void
  readonly onClose: () => void
}) {
  const writes = undoing(changes, written)
  return (
    <WriteDialog
      title="Undo this save"
      label="Undo"
      dryRun={() => tryWrites(site, writes).catch(explain)}
      write={async (found) => {
        await storeWrites(site, writes, found).catch(explain)
        return 'The save is undone.'
      }}
      onClose={onClose}
      onDone={onUndone}
    >
      {({ diffs = [] }) => <ThingDiffs things={diffs} />}
    </WriteDialog>
  )
}

function explain(error: unknown): never {
  throw isServiceError(error, 'precondition_failed', 'frame_not_found')
    ? Object.assign(error, {
        message: `Nothing is undone, because that would undo the change of somebody else: ${error.message}`,
      })
    : error
}
