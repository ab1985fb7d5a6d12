import { useSignal } from '@preact/signals'
import type { Output } from '../../../client/src/index.ts'
import { maySend, useSite } from '../current.ts'
import { Diff } from '../parts/diff.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { RestoreDialog, type RestoreScope } from '../parts/restore-dialog.tsx'
import { Time } from '../parts/time.tsx'
import { useRead } from '../reading.ts'
import { linkTo, type ViewProps } from '../router.ts'
import { authorOf, KINDS, thingOf } from './history/describe-entry.ts'

/** One entry of the history: what it changed, and how it is taken back. */
export function View({ params }: ViewProps<'site' | 'entry'>) {
  const { site_id: site } = useSite()
  const { reading, reload } = useRead('getHistoryEntry', { site_id: site, entry: params.entry })
  const open = useSignal<RestoreScope | undefined>(undefined)
  const { entry, names } = reading.state === 'ready' ? reading.answer : NOT_READ
  return (
    <Page
      title={entry ? `${KINDS[entry.kind]} ${thingOf(entry, names)}` : `Entry ${params.entry}`}
      isContent
      trail={[{ label: 'History', href: linkTo(`/sites/${site}/history`) }]}
      lead={
        entry && (
          <>
            {entry.action} <Time at={entry.at} /> by <bdi>{authorOf(entry, names)}</bdi>
          </>
        )
      }
      actions={
        entry &&
        maySend('all') && <Actions entry={entry} onOpen={(scope) => (open.value = scope)} />
      }
    >
      <Loaded reading={reading} retry={reload}>
        {(answer) => <EntryView site={site} answer={answer} />}
      </Loaded>
      {open.value && (
        <RestoreDialog
          site={site}
          scope={open.value}
          goesTo={`/sites/${site}/history`}
          onClose={() => {
            open.value = undefined
          }}
        />
      )}
    </Page>
  )
}

const NOT_READ = { entry: undefined, names: undefined }

function Actions({
  entry: { id, request_id, kind },
  onOpen,
}: {
  readonly entry: Output<'getHistoryEntry'>['entry']
  readonly onOpen: (scope: RestoreScope) => void
}) {
  if (kind === 'token' || kind === 'webhook' || kind === 'pruning') return null
  return (
    <>
      {request_id !== null && (
        <button type="button" class="primary" onClick={() => onOpen({ request_id })}>
          Undo the whole request
        </button>
      )}
      <button type="button" onClick={() => onOpen({ entry: id })}>
        Restore this state
      </button>
    </>
  )
}

function EntryView({
  site,
  answer: { entry, before, after, diff, items, titles, names },
}: {
  readonly site: number
  readonly answer: Output<'getHistoryEntry'>
}) {
  const isPruned = before?.content_pruned === true || after?.content_pruned === true
  return (
    <div class="columns">
      <div>
        {isPruned && (
          <Notice tone="warn" title="The history no longer has all of it">
            <p>Old contents are deleted after some time, so the difference is incomplete.</p>
          </Notice>
        )}
        <section class="panel">
          <h2>What changed</h2>
          {items === undefined && diff !== '' ? (
            <Diff label="What changed" diff={diff} />
          ) : (
            <div class="panel-body">
              <Diff label="What changed" {...{ diff, items, titles }} />
            </div>
          )}
        </section>
      </div>
      <section class="panel">
        <h2>Entry</h2>
        <dl class="facts">
          <dt>Id</dt>
          <dd>{entry.id}</dd>
          <dt>Thing</dt>
          <dd>
            <a
              href={linkTo(`/sites/${site}/history`, { kind: entry.kind, ref: entry.ref })}
              dir="auto"
            >
              all entries of {thingOf(entry, names)}
            </a>
          </dd>
          {entry.request_id !== null && (
            <>
              <dt>Request</dt>
              <dd>
                <a href={linkTo(`/sites/${site}/history`, { request: entry.request_id })}>
                  all that it wrote
                </a>
              </dd>
            </>
          )}
          <dt>State</dt>
          <dd>{entry.exists ? 'exists after it' : 'does not exist after it'}</dd>
        </dl>
      </section>
    </div>
  )
}
