import { useSignal } from '@preact/signals'
import { useRead, useTask } from '../calls.ts'
import { api } from '../client.ts'
import { useSite } from '../current.ts'
import { Button, Check, toggled } from '../parts/fields.tsx'
import { Empty, Pager, SearchField } from '../parts/list.tsx'
import { ErrorNotice, Loaded } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { goTo, linkTo, numberParameter, parameter, path, type ViewProps } from '../router.ts'
import { count } from '../text.ts'

/** Plans a frame of one site for others: which sites get it is chosen here, and the plan shows what it changes on each of them. */
export function View({ params: { frame: slug } }: ViewProps<'site' | 'frame'>) {
  const { site_id: from, title: origin, address } = useSite()
  const search = parameter('q')
  const frame = useRead('getFrame', { site_id: from, ref: slug })
  const sites = useRead('listSites', { search, after: numberParameter('after'), limit: 50 })
  const chosen = useSignal<ReadonlySet<number>>(new Set())
  const { error, isRunning, run } = useTask()
  const html = frame.answer?.frame.html
  const plan = () =>
    run(async () => {
      const { plan: created } = await api().createPlan({
        body: {
          version: 1,
          title: `Frame ${slug} of ${origin || address}`,
          name: 'single-change',
          sites: [{ match: { id: [...chosen.value] }, bundles: ['frame'] }],
          bundles: { frame: { frames: [{ slug, html: html ?? '' }] } },
        },
      })
      goTo(path`/network/plans/${created.id}`)
    })
  return (
    <Page
      title={`${slug} to other sites`}
      isContent
      trail={[
        { label: 'Frames', href: linkTo(`/sites/${from}`) },
        { label: slug, href: linkTo(path`/sites/${from}/frames/${slug}`) },
      ]}
      lead="Choose sites. The plan then shows what changes on each of them, and nothing is written before you apply it."
      actions={
        <Button
          label={chosen.value.size === 0 ? 'Plan' : `Plan for ${count(chosen.value.size, 'site')}`}
          class="primary"
          disabled={chosen.value.size === 0 || html === undefined || isRunning}
          onClick={plan}
        />
      }
    >
      {error && <ErrorNotice error={error} />}
      <SearchField label="Search sites" placeholder="Name, address or id" />
      <Loaded reading={sites.reading} retry={sites.reload}>
        {({ total, sites: found, next }) => {
          const others = found.filter(({ site_id }) => site_id !== from)
          return (
            <>
              {others.length === 0 && <Empty>There is no other site.</Empty>}
              <ul class="rows">
                {others.map(({ site_id, title, address: where }) => (
                  <li key={site_id}>
                    <Check
                      label={
                        <>
                          <bdi>{title || `Site ${site_id}`}</bdi> <span class="none">{where}</span>
                        </>
                      }
                      checked={chosen.value.has(site_id)}
                      onChange={() => (chosen.value = toggled(chosen.value, site_id))}
                    />
                  </li>
                ))}
              </ul>
              <Pager
                {...{ next }}
                total={total - (found.length - others.length)}
                one="site"
                shown={others.length}
              />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}
