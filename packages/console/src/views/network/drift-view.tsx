import type { Output } from '../../../../client/src/index.ts'
import { useRead } from '../../calls.ts'
import { authorOf, type Names } from '../../entries.ts'
import { Diff } from '../../parts/diff.tsx'
import { Check } from '../../parts/fields.tsx'
import { Empty, More, Pager, Time } from '../../parts/list.tsx'
import { Loaded, Messages, Notice } from '../../parts/notice.tsx'
import { linkTo, numberParameter, parameter, path, replaceQuery } from '../../router.ts'
import { count } from '../../text.ts'

type DriftedSite = Output<'listDrift'>['results'][number]

/** What differs on each site from the description that was applied to it last. */
export function DriftView() {
  const isDifferent = parameter('differs') === '1'
  const { reading, reload } = useRead('listDrift', { after: numberParameter('after'), limit: 10 })
  return (
    <Loaded reading={reading} retry={reload}>
      {({ total, results, failures, next, names }) => (
        <>
          {failures.length > 0 && (
            <Notice tone="bad" title="Not compared">
              <Messages
                texts={failures.map(({ description, message }) => `${description}: ${message}`)}
              />
            </Notice>
          )}
          {total === 0 && failures.length === 0 && (
            <Empty>
              No description was applied to any site. <code>wp-frames apply</code> applies the one
              of a folder.
            </Empty>
          )}
          {total > 0 && (
            <div class="toolbar">
              <Check
                label="Hide sites without drift"
                checked={isDifferent}
                onChange={(isOn) => replaceQuery({ differs: isOn ? '1' : undefined })}
              />
            </div>
          )}
          {results
            .filter((result) => !isDifferent || !isClean(result))
            .map((result) => (
              <Result key={`${result.site_id} ${result.description}`} {...{ result, names }} />
            ))}
          {total > 0 && (
            <Pager
              {...{ total, next }}
              one="site"
              shown={new Set(results.map(({ site_id }) => site_id)).size}
            />
          )}
        </>
      )}
    </Loaded>
  )
}

function Result({ result, names }: { readonly result: DriftedSite; readonly names: Names }) {
  const { site_id, address, description, plan, applied_at, problems, drift, drift_total } = result
  const hasNone = isClean(result)
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>
          <a href={linkTo(`/sites/${site_id}`)}>{address}</a>{' '}
          <span class={`badge ${hasNone ? 'good' : 'warn'}`}>
            {hasNone ? 'no drift' : count(drift_total + problems.length, 'difference')}
          </span>
        </h2>
        <p class="hint">
          <a href={linkTo(path`/network/plans/${plan}`)} dir="auto">
            {description}
          </a>
          , applied <Time at={applied_at} />
        </p>
      </div>
      {!hasNone && (
        <div class="panel-body stack">
          {problems.map(({ kind, name, message }) => (
            <p key={`${kind} ${name}`} dir="auto">
              <span class="badge bad">blocked</span> {kind} {name}: {message}
            </p>
          ))}
          {drift.map((one) => (
            <Difference key={`${one.kind} ${one.name}`} site={site_id} {...{ one, names }} />
          ))}
          <More left={drift_total - drift.length} />
        </div>
      )}
    </section>
  )
}

const isClean = ({ drift_total, problems }: DriftedSite): boolean =>
  drift_total === 0 && problems.length === 0

function Difference({
  site,
  names,
  one: { kind, name, action, from, to, diff, by },
}: {
  readonly site: number
  readonly names: Names
  readonly one: DriftedSite['drift'][number]
}) {
  return (
    <section class="stack">
      <div>
        <h3>
          {kind} <bdi>{name}</bdi> <span class="badge warn">{WHAT[action] ?? 'was changed'}</span>
        </h3>
        <p class="hint">
          {by === null ? (
            'by another program'
          ) : (
            <>
              by <bdi>{authorOf(by, names)}</bdi> <Time at={by.at} />:{' '}
              <a href={linkTo(`/sites/${site}/history/${by.entry}`)}>entry {by.entry}</a>
            </>
          )}
          {(from !== undefined || to !== undefined) && (
            <>
              {' '}
              It has <bdi>{from ?? 'nothing'}</bdi> instead of <bdi>{to ?? 'nothing'}</bdi>.
            </>
          )}
        </p>
      </div>
      {diff !== undefined && diff !== '' && (
        <details>
          <summary>What a repair would change</summary>
          <Diff label={`Difference of ${kind} ${name}`} diff={diff} />
        </details>
      )}
    </section>
  )
}

/** What has happened to a thing, by the action that would restore it. */
const WHAT: Readonly<Record<string, string>> = {
  created: 'is missing',
  deleted: 'was added',
  renamed: 'was renamed',
  assigned: 'was assigned otherwise',
  cleared: 'was assigned',
}
