import type { FieldRow } from './field-rows.ts'

const id = { id: undefined }
const hook = {
  url: undefined,
  types: undefined,
  kinds: undefined,
  sites: undefined,
  since: undefined,
}

/** The endpoints of webhooks name no content of a site; `webhooks.test.ts` tests that they are those of one site. */
export const webhookFieldRows: readonly FieldRow[] = [
  { route: 'get /webhooks' },
  { route: 'post /webhooks', body: hook },
  { route: 'get /webhooks/:id', path: id },
  { route: 'patch /webhooks/:id', path: id, body: { ...hook, enabled: true } },
  { route: 'delete /webhooks/:id', path: id },
  { route: 'post /webhooks/:id/rotate', path: id },
  {
    route: 'get /webhooks/:id/deliveries',
    path: id,
    query: { before: undefined, limit: undefined },
  },
  { route: 'post /webhooks/:id/test', path: id },
  { route: 'post /webhooks/:id/replay', path: id, body: { delivery: undefined } },
]
