import type { Output } from '../../../client/src/index.ts'
import { useSiteRead } from '../calls.ts'
import { maySend } from '../current.ts'
import { authorOf, KINDS, thingOf } from '../entries.ts'
import { DialogButton } from '../parts/dialog.tsx'
import { Diff } from '../parts/diff.tsx'
import { Time } from '../parts/list.tsx'
import { Loaded, Notice } from '../parts/notice.tsx'
import { Page, Panel } from '../parts/page.tsx'
import { RestoreDialog, type RestoreScope } from '../parts/restore-dialog.tsx'
import { inSite, linkTo, type ViewProps } from '../router.ts'

/** One entry of the history: what it changed, and how it is undone. */
export function View({ params }: ViewProps<'site' | 'entry'>) {
  const { reading, answer, reload } = useSiteRead('getHistoryEntry', { entry: params.entry })
  const entry = answer?.entry
  return (
    <Page
      title={
        entry ? `${KINDS[entry.kind]} ${thingOf(entry, answer?.names)}` : `Entry ${params.entry}`
      }
      isContent
      trail={[{ label: 'History', href: linkTo(inSite('/history')) }]}
      lead={
        entry && (
          <>
            {entry.action} <Time at={entry.at} /> by <bdi>{authorOf(entry, answer?.names)}</bdi>
          </>
        )
      }
      actions={entry && maySend('all') && <Actions entry={entry} />}
    >
      <Loaded reading={reading} retry={reload}>
        {(shown) => <EntryView {...shown} />}
      </Loaded>
    </Page>
  )
}

function Actions({ entry }: { readonly entry: Output<'getHistoryEntry'>['entry'] }) {
  const { id, site_id, request_id, kind } = entry
  if (kind === 'token' || kind === 'webhook' || kind === 'pruning') return null
  const restore = (scope: RestoreScope) => (onClose: () => void) => (
    <RestoreDialog {...{ scope, onClose }} goesTo={`/sites/${site_id}/history`} />
  )
  return (
    <>
      {request_id !== null && (
        <DialogButton label="Undo the whole request" class="primary">
          {restore({ request_id })}
        </DialogButton>
      )}
      <DialogButton label="Restore this state">{restore({ entry: id })}</DialogButton>
    </>
  )
}

function EntryView(answer: Output<'getHistoryEntry'>) {
  const { entry, before, after, diff, items, titles, names } = answer
  const isPruned = before?.content_pruned === true || after?.content_pruned === true
  const { kind, ref, request_id: request } = entry
  return (
    <>
      <p class="inline toolbar">
        <a href={linkTo(inSite('/history'), { kind, ref })} dir="auto">
          all entries of {thingOf(entry, names)}
        </a>
        {request !== null && (
          <a href={linkTo(inSite('/history'), { request })}>all that the request wrote</a>
        )}
        <span class="none">
          entry {entry.id}
          {entry.exists ? '' : '; it does not exist since'}
        </span>
      </p>
      {isPruned && (
        <Notice tone="warn" title="The history no longer has all of it">
          <p>Old contents are deleted after some time, so the difference is incomplete.</p>
        </Notice>
      )}
      <Panel title="What changed">
        <Diff label="What changed" {...{ diff, items, titles }} />
      </Panel>
    </>
  )
}
