import { useSignal } from '@preact/signals'
import { ServiceError } from '../../../client/src/index.ts'
import { api, asServiceError } from '../client.ts'
import { announce, ErrorNotice, Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { goTo, linkTo, path, type ViewProps } from '../router.ts'

const PLACEHOLDER = `{
  "version": 1,
  "name": "shops",
  "sites": [{ "match": { "id": [2, 5] }, "bundles": ["base"] }],
  "bundles": { "base": { "frames": [{ "slug": "header", "html": "<h1>Shop</h1>" }] } }
}`

/** Plans what sites lack of a description, which is written, uploaded, or taken over from a site. */
export function View(_: ViewProps) {
  const text = useSignal('')
  const error = useSignal<ServiceError | undefined>(undefined)
  const notes = useSignal<readonly string[]>([])
  const isRunning = useSignal(false)
  const run = async (work: () => Promise<void>) => {
    error.value = undefined
    isRunning.value = true
    try {
      await work()
    } catch (caught) {
      error.value = caught instanceof SyntaxError ? badJson(caught) : asServiceError(caught)
    } finally {
      isRunning.value = false
    }
  }
  const plan = () =>
    run(async () => {
      const { plan: created } = await api().createPlan({ body: JSON.parse(text.value) })
      goTo(path`/network/plans/${created.id}`)
    })
  const takeOver = (site: number) =>
    run(async () => {
      const { description, notes: found } = await api().getSiteDescription({ site_id: site })
      notes.value = found
      text.value = JSON.stringify(description, null, 2)
      announce(`The description of site ${site} is in the field below.`)
    })
  return (
    <Page
      title="New plan"
      trail={[
        { label: 'Network', href: linkTo('/network') },
        { label: 'Plans', href: linkTo('/network', { as: 'plans' }) },
      ]}
      lead="A description says what sites should have. The plan shows what they lack; nothing is written before it is applied."
    >
      <section class="panel">
        <div class="panel-body stack">
          <div class="two flat">
            <label class="field">
              From a file
              <input
                type="file"
                accept=".json,application/json"
                onChange={async ({ currentTarget: { files } }) => {
                  const [file] = files ?? []
                  if (file) text.value = await file.text()
                }}
              />
            </label>
            <form
              class="field"
              onSubmit={(event) => {
                event.preventDefault()
                takeOver(Number(new FormData(event.currentTarget).get('site')))
              }}
            >
              <label for="model">Or what a site has now</label>
              <div class="row">
                <input
                  id="model"
                  name="site"
                  type="number"
                  min="1"
                  required
                  placeholder="Id, such as 2"
                />
                <button type="submit" disabled={isRunning.value}>
                  Take over
                </button>
              </div>
            </form>
          </div>
          {notes.value.length > 0 && (
            <Notice tone="warn" title="The description leaves out">
              <ul>
                {notes.value.map((note) => (
                  <li key={note} dir="auto">
                    {note}
                  </li>
                ))}
              </ul>
            </Notice>
          )}
          <div class="field">
            <label for="description">Description</label>
            <textarea
              id="description"
              class="description"
              rows={18}
              spellcheck={false}
              dir="ltr"
              placeholder={PLACEHOLDER}
              value={text.value}
              aria-describedby="description-hint"
              onInput={({ currentTarget }) => {
                text.value = currentTarget.value
              }}
            />
            <p id="description-hint" class="hint">
              JSON; change "sites" to name those that should have it. The guide{' '}
              <a href="../docs/network">Network as code</a> describes all fields.
            </p>
          </div>
          {error.value && <ErrorNotice error={error.value} />}
          <div class="row">
            <button
              type="button"
              class="primary"
              disabled={text.value.trim() === '' || isRunning.value}
              onClick={plan}
            >
              Plan
            </button>
          </div>
        </div>
      </section>
    </Page>
  )
}

const badJson = ({ message }: SyntaxError): ServiceError =>
  new ServiceError(
    { code: 'rest_invalid_param', status: 400, fields: { params: { description: message } } },
    'The description is not valid JSON. Correct it there.',
  )
