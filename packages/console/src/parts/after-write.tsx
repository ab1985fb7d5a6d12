import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Output } from '../../../client/src/index.ts'
import { api } from '../client.ts'
import { address, linkTo } from '../router.ts'
import { token } from '../session.ts'
import { count } from '../text.ts'
import { type LastWrite, lastWrite, requestIdOf } from '../writes.ts'
import { DialogButton } from './dialog.tsx'
import { Button } from './fields.tsx'
import { Later } from './later.tsx'
import { Messages, Notice } from './notice.tsx'

/** Pause between two questions about the work, in milliseconds. */
const ASK_EVERY_MS = 2000

/** The last write of this view: what it has built, what is still to be built, and the way back. */
export function AfterWrite() {
  const last = lastWrite.value
  if (!last || last.at !== address.value.path || last.by !== token.value) return null
  return <Stored last={last} />
}

function Stored({ last }: { readonly last: LastWrite }) {
  const { site, done, notDone = [], answers, backTo } = last
  const pending = usePending(site, answers)
  const failed = failureIn(answers)
  const ids = answers.map(requestIdOf)
  return (
    <div class="toast">
      <Notice tone={failed === undefined && notDone.length === 0 ? 'good' : 'warn'} title={done}>
        {notDone.length > 0 && <Messages texts={notDone} />}
        <p role="status">
          {failed ?? (pending ? describePending(pending) : builtIn(answers))}{' '}
          {(failed !== undefined || pending !== undefined) && (
            <a href={linkTo(`/sites/${site}/health`)}>Health of the site</a>
          )}
        </p>
        <div class="row">
          <DialogButton label="Undo">
            {(onClose) => (
              <Later
                load={async () => (await import('./restore-dialog.tsx')).RestoreDialog}
                props={{ scope: { request_id: ids }, goesTo: backTo, onClose }}
              />
            )}
          </DialogButton>
          <a
            class="button"
            href={linkTo(`/sites/${site}/history`, ids.length === 1 ? { request: ids[0] } : {})}
          >
            Show it in the history
          </a>
          <Button label="Close" class="quiet" onClick={() => (lastWrite.value = undefined)} />
        </div>
      </Notice>
    </div>
  )
}

type Answers = LastWrite['answers']
type Pending = Pick<NonNullable<Answers[number]['pending']>, 'pages' | 'frames'>

/** What is still to be built; undefined when everything is. */
function usePending(site: number, answers: Answers): Pending | undefined {
  // Each answer counts the work of the whole site.
  const first = answers.at(-1)?.pending
  const pending = useSignal<Pending | undefined>(first)
  useEffect(() => {
    pending.value = first
    if (first === undefined) return undefined
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
  }, [answers])
  return pending.value
}

const stillIn = ({ pending: { pages, frames } }: Output<'getWork'>): Pending | undefined =>
  pages + frames > 0 ? { pages, frames } : undefined

const describePending = ({ pages, frames }: Pending): string =>
  `Stored. Still to be built on this site: ${[
    ...(frames > 0 ? [count(frames, 'frame')] : []),
    ...(pages > 0 ? [count(pages, 'page')] : []),
  ].join(' and ')}. It goes on in the background.`

function builtIn(answers: Answers): string {
  const baked = answers.reduce((sum, { rebaked }) => sum + (rebaked?.baked ?? 0), 0)
  const pages = new Set(answers.flatMap(({ rebaked }) => rebaked?.cache.pages ?? [])).size
  const built = [
    ...(baked > 0 ? [`${count(baked, 'frame')} baked`] : []),
    ...(pages > 0 ? [`${count(pages, 'page')} published`] : []),
  ].join(', ')
  return `Stored, and everything is built${built && `: ${built}`}.`
}

/** Why a part was not built, in the message of the service. */
function failureIn(answers: Answers): string | undefined {
  for (const { rebaked, republish } of answers) {
    if (rebaked?.status === 'failed')
      return `Stored, but not built: ${rebaked.message ?? count(rebaked.failed, 'frame')}.`
    if (republish?.status === 'failed' || republish?.status === 'unavailable')
      return `Stored, but not published: ${republish.message ?? republish.status}.`
  }
  return undefined
}
