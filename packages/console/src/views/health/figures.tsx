import type { Output } from '../../../../client/src/index.ts'
import { Time } from '../../parts/time.tsx'
import { duration } from '../../text.ts'

type Status = Pick<Output<'getWork'>, 'pending' | 'running' | 'failing' | 'oldest'>

/** How much is to be built, of one site or of all. */
export function Figures({
  work: { pending, running, failing, oldest },
}: {
  readonly work: Status
}) {
  return (
    <dl class="figures">
      <Figure name="Pending" counts={pending} />
      <Figure name="Running now" counts={running} />
      <Figure name="Failing" counts={failing} />
      <div class="figure">
        <dt>Oldest</dt>
        <dd>
          {oldest === null ? (
            <small>nothing waits</small>
          ) : (
            <>
              {duration(oldest.age_s)}{' '}
              <small>
                since <Time at={oldest.since} />
              </small>
            </>
          )}
        </dd>
      </div>
    </dl>
  )
}

function Figure({
  name,
  counts: { pages, frames, purges },
}: {
  readonly name: string
  readonly counts: Status['pending']
}) {
  return (
    <div class="figure">
      <dt>{name}</dt>
      <dd>
        {pages} <small>{pages === 1 ? 'page' : 'pages'}, </small>
        {frames} <small>{frames === 1 ? 'frame' : 'frames'}</small>
        {purges > 0 && (
          <>
            , {purges} <small>{purges === 1 ? 'purge' : 'purges'}</small>
          </>
        )}
      </dd>
    </div>
  )
}

/** All counts of a status together. */
export const sumOf = ({ pages, frames, purges }: Status['pending']): number =>
  pages + frames + purges

/** Whether something is built at present or soon. What fails waits for its next try. */
export const isUnfinished = ({ pending, failing }: Pick<Status, 'pending' | 'failing'>): boolean =>
  sumOf(pending) > sumOf(failing)
