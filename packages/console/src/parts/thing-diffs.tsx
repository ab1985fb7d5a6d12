import type { Output } from '../../../client/src/index.ts'
import { KINDS, thingOf } from '../views/history/describe-entry.ts'
import { Diff } from './diff.tsx'

type WrittenThing = Output<'restoreSite'>['restored'][number]

/** What a write does to each thing. */
export function ThingDiffs({
  things = [],
}: {
  readonly things: readonly WrittenThing[] | undefined
}) {
  return (
    <>
      {things.map(({ diff, items, titles, ...thing }) => {
        const pages = { [thing.ref]: titles?.[`page ${thing.ref}`] ?? '' }
        const name = thingOf(thing, { users: {}, pages })
        return (
          <section key={`${thing.kind} ${thing.ref}`} class="stack">
            <h3>
              {KINDS[thing.kind]} <bdi>{name}</bdi> <span class="badge">{thing.action}</span>
            </h3>
            <Diff label={`Difference of ${name}`} {...{ diff, items, titles }} />
          </section>
        )
      })}
    </>
  )
}
