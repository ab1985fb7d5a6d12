import type { FieldRow } from './field-rows.ts'

/** The endpoints of webhooks name no content of a site; `webhooks.test.ts` tests that they are those of one site. */
export const webhookFieldRows: readonly FieldRow[] = [
  { route: 'get /webhooks' },
  {
    route: 'post /webhooks',
    body: {
      url: undefined,
      types: undefined,
      kinds: undefined,
      sites: undefined,
      since: undefined,
    },
  },
  { route: 'get /webhooks/:id', path: { id: undefined } },
  {
    route: 'patch /webhooks/:id',
    path: { id: undefined },
    body: {
      url: undefined,
      types: undefined,
      kinds: undefined,
      sites: undefined,
      since: undefined,
      enabled: true,
    },
  },
  { route: 'delete /webhooks/:id', path: { id: undefined } },
  { route: 'post /webhooks/:id/rotate', path: { id: undefined } },
  {
    route: 'get /webhooks/:id/deliveries',
    path: { id: undefined },
    query: { before: undefined, limit: undefined },
  },
  { route: 'post /webhooks/:id/test', path: { id: undefined } },
  { route: 'post /webhooks/:id/replay', path: { id: undefined }, body: { delivery: undefined } },
]
