import type { Output } from '../../packages/client/src/index.ts'
import { KINDS, thingOf } from '../views/history/describe-entry.ts'
import { Diff, type Titles } from './diff.tsx'

type WrittenThing = Output<'restoreSite'>['restored'][number]

/** What a write does to each thing. */
export function ThingDiffs({
  things,
  titles,
}: {
  readonly things: readonly WrittenThing[]
  readonly titles?: Titles | undefined
}) {
  return (
    <>
      {things.map(({ diff, items, ...thing }) => (
        <section key={`${thing.kind} ${thing.ref}`} class="stack">
          <h3>
            {KINDS[thing.kind]} <bdi>{thingOf(thing)}</bdi>{' '}
            <span class="badge">{thing.action}</span>
          </h3>
          <Diff label={`Difference of ${thingOf(thing)}`} {...{ diff, items, titles }} />
        </section>
      ))}
    </>
  )
}
