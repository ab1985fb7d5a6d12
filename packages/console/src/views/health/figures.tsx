import type { Output } from '../../../../client/src/index.ts'
import { Time } from '../../parts/time.tsx'

import { count } from '../../text.ts'

type Status = Pick<Output<'getWork'>, 'pending' | 'running' | 'failing' | 'oldest'>
type Counts = Status['pending']

/** How much is to be built, of one site or of all. */
export function Figures({
  work: { pending, running, failing, oldest },
}: {
  readonly work: Status
}) {
  return (
    <dl class="figures">
      {Object.entries({ Pending: pending, 'Running now': running, Failing: failing }).map(
        ([name, counts]) => (
          <div key={name} class="figure">
            <dt>{name}</dt>
            <dd>{describe(counts)}</dd>
          </div>
        ),
      )}
      <div class="figure">
        <dt>Oldest</dt>
        <dd>{oldest === null ? 'nothing waits' : <Time at={oldest.since} />}</dd>
      </div>
    </dl>
  )
}

const describe = ({ pages, frames, purges }: Counts): string =>
  [
    count(pages, 'page'),
    count(frames, 'frame'),
    ...(purges > 0 ? [count(purges, 'purge')] : []),
  ].join(', ')

/** All counts of a status together. */
export const sumOf = ({ pages, frames, purges }: Counts): number => pages + frames + purges

/** Whether something is built at present or soon. What fails waits for its next try. */
export const isUnfinished = ({ pending, failing }: Pick<Status, 'pending' | 'failing'>): boolean =>
  sumOf(pending) > sumOf(failing)
