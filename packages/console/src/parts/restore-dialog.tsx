import { useSignal } from '@preact/signals'
import { isServiceError, type Output, type ServiceErrorWith } from '../../../client/src/index.ts'
import { readAgain } from '../calls.ts'
import { api } from '../client.ts'
import { useSite } from '../current.ts'
import { authorOf, KINDS, thingOf } from '../entries.ts'
import { goTo, inSite, linkTo } from '../router.ts'
import { count } from '../text.ts'
import { wrote } from '../writes.ts'
import { ThingDiffs } from './diff.tsx'
import { Check } from './fields.tsx'
import { More, Time } from './list.tsx'
import { Messages, Notice } from './notice.tsx'
import { WriteDialog } from './write-dialog.tsx'

/** One thing to its state after an entry, or everything that requests wrote to the state before. */
export type RestoreScope =
  | { readonly entry: number }
  | { readonly request_id: string | readonly string[] }

type Answer = Output<'restoreSite'>
type NotRestored = Answer['not_restored'][number]

/** What was changed after the writes that are undone. */
type Changed = ServiceErrorWith<'changed_since'>['fields']

type RestoreDialogProps = {
  readonly scope: RestoreScope
  /** The path of the view that is shown then [the same]. */
  readonly goesTo?: string | undefined
  readonly onClose: () => void
}

/**
 * Restores a former state: first shows the differences, then asks. What requests wrote is undone together or not at all, and without overwriting what
 * others have written since, unless that is asked for.
 */
export function RestoreDialog({ scope, goesTo, onClose }: RestoreDialogProps) {
  const { site_id: site } = useSite()
  const isRequest = 'request_id' in scope
  const changed = useSignal<Changed | undefined>(undefined)
  const overwrites = useSignal(false)
  const send = (dry_run: boolean): Promise<Answer> => {
    const condition = isRequest && !overwrites.value ? { if_unchanged: true } : {}
    const ids = isRequest ? { request_id: [scope.request_id].flat() } : scope
    return api().restoreSite({ site_id: site, body: { ...ids, ...condition, dry_run } })
  }
  return (
    <WriteDialog
      title={isRequest ? 'Undo this' : 'Restore this state'}
      label={isRequest ? 'Undo' : 'Restore'}
      of={String(overwrites.value)}
      dryRun={changed.value && !overwrites.value ? undefined : () => send(true)}
      changes={({ restored }) => restored.length > 0}
      write={async () => {
        const answer = await send(false)
        const { restored, not_restored } = answer
        const done = `${isRequest ? 'Undone' : 'Restored'}: ${count(restored.length, 'thing')}.`
        if (goesTo !== undefined) goTo(goesTo)
        wrote({ site, done, answers: [answer], notDone: not_restored.map(describeObstacle) })
        readAgain('restored')
        return done
      }}
      onError={(error) => {
        if (!isServiceError(error, 'changed_since')) return false
        changed.value = error.fields
        return true
      }}
      onClose={onClose}
      input={changed.value && <ChangedSince overwrites={overwrites} changed={changed.value} />}
    >
      {(answer) => <Restored {...answer} />}
    </WriteDialog>
  )
}

const describeObstacle = ({ message, ...thing }: NotRestored): string =>
  `Not restored, or not completely: ${KINDS[thing.kind]} ${thingOf(thing)}: ${message}`

/** What others have written since, which nobody overwrites without seeing it. */
function ChangedSince({
  changed: { changed, changed_total: total, names },
  overwrites,
}: {
  readonly changed: Changed
  readonly overwrites: { value: boolean }
}) {
  return (
    <>
      <Notice tone="warn" title="Changed since">
        <p role="status">
          It is not done, because that would undo later changes of {count(total, 'thing')}:
        </p>
        <ul>
          {changed.map(({ entry, ...thing }) => (
            <li key={`${thing.kind} ${thing.ref}`}>
              {KINDS[thing.kind]} <bdi>{thingOf(thing, names)}</bdi> by{' '}
              {entry ? (
                <>
                  <bdi>{authorOf(entry, names)}</bdi>, <Time at={entry.at} />.{' '}
                  <a href={linkTo(inSite(`/history/${entry.id}`))}>Show it</a>
                </>
              ) : (
                'another program'
              )}
            </li>
          ))}
        </ul>
        <Check
          label="Undo these later changes, too"
          checked={overwrites.value}
          onChange={(isOn) => (overwrites.value = isOn)}
        />
      </Notice>
      {!overwrites.value && (
        <ThingDiffs
          things={changed.map(({ entry, ...thing }) => ({
            ...thing,
            action: entry?.action ?? 'edited',
          }))}
        />
      )}
    </>
  )
}

/** Things that are shown; a write of many pages has hundreds. */
const MAX_SHOWN = 50

function Restored({ restored, not_restored }: Answer) {
  return (
    <>
      <p>
        {restored.length === 0
          ? 'Nothing differs from that state, so there is nothing to restore.'
          : `This would change ${count(restored.length, 'thing')}. It is a write of its own and can be undone.`}
      </p>
      <ThingDiffs things={restored.slice(0, MAX_SHOWN)} />
      <More left={restored.length - MAX_SHOWN} one="thing" />
      {not_restored.length > 0 && (
        <Notice tone="warn">
          <Messages texts={not_restored.map(describeObstacle)} />
        </Notice>
      )}
    </>
  )
}
