/** A request that changes nothing, so that every administrator of a site always gets the same response. */
export type RouteRow = {
  /** Method and path of the endpoint's definition. */
  readonly route: string
  /** The path of the request below the site, if it differs. */
  readonly path?: string
  readonly body?: Readonly<Record<string, unknown>>
  /** The response to an administrator: the status, and the code of an error. */
  readonly answer: string
}

/** One row per route. A new route needs a row here. */
export const routeRows: readonly RouteRow[] = [
  { route: 'get /frames/defaults', answer: '410 gone' },
  { route: 'post /frames/defaults', answer: '410 gone' },
  { route: 'put /frames/defaults', answer: '410 gone' },
  { route: 'patch /frames/defaults', answer: '410 gone' },
  { route: 'delete /frames/defaults', answer: '410 gone' },
  { route: 'post /frames/:ref/default', path: '/frames/none/default', answer: '410 gone' },
  { route: 'post /frames/rebake', answer: '400 nothing_to_rebake' },
  { route: 'post /frames/check', body: { frames: [] }, answer: '200' },
  { route: 'get /frames', answer: '200' },
  {
    route: 'post /frames',
    body: { slug: 'new', html: '<p>new</p>', dry_run: true },
    answer: '200',
  },
  { route: 'get /frames/:ref', path: '/frames/none', answer: '404 frame_not_found' },
  {
    route: 'put /frames/:ref',
    path: '/frames/none',
    body: { html: '<p>new</p>' },
    answer: '404 frame_not_found',
  },
  {
    route: 'patch /frames/:ref',
    path: '/frames/none',
    body: { slug: 'new' },
    answer: '404 frame_not_found',
  },
  { route: 'delete /frames/:ref', path: '/frames/none', answer: '404 frame_not_found' },
  {
    route: 'post /frames/:ref/assign',
    path: '/frames/none/assign',
    body: { page: 3 },
    answer: '404 frame_not_found',
  },
  {
    route: 'post /frames/:ref/rebake',
    path: '/frames/none/rebake',
    answer: '404 frame_not_found',
  },
  { route: 'get /menus', answer: '200' },
  { route: 'post /menus', answer: '400 menu_name_required' },
  {
    route: 'patch /menus/:ref',
    path: '/menus/none',
    body: { name: 'New' },
    answer: '404 menu_not_found',
  },
  { route: 'delete /menus/:ref', path: '/menus/none', answer: '404 menu_not_found' },
  {
    route: 'put /menus/:ref/location',
    path: '/menus/none/location',
    body: { location: 'header' },
    answer: '404 menu_not_found',
  },
  {
    route: 'put /menus/:ref/items',
    path: '/menus/none/items',
    body: { items: [] },
    answer: '404 menu_not_found',
  },
  {
    route: 'post /menus/:ref/items',
    path: '/menus/none/items',
    body: { url: '/new/', title: 'New' },
    answer: '404 menu_not_found',
  },
  {
    route: 'patch /menus/:ref/items/:id',
    path: '/menus/none/items/1',
    body: { title: 'New' },
    answer: '404 menu_not_found',
  },
  {
    route: 'delete /menus/:ref/items/:id',
    path: '/menus/none/items/1',
    answer: '404 menu_not_found',
  },
  {
    route: 'post /menus/:ref/reorder',
    path: '/menus/none/reorder',
    body: { order: [1] },
    answer: '404 menu_not_found',
  },
  { route: 'get /menus/:ref', path: '/menus/none', answer: '404 menu_not_found' },
  {
    route: 'get /menus/:ref/targets',
    path: '/menus/none/targets',
    answer: '404 menu_not_found',
  },
  {
    route: 'get /menus/:ref/file',
    path: '/menus/none/file',
    answer: '404 menu_not_found',
  },
  { route: 'get /graph', path: '/graph?frame=none', answer: '404 frame_not_found' },
  { route: 'get /pages', answer: '200' },
  { route: 'get /address', path: '/address?url=/shop/', answer: '200' },
  { route: 'get /description', answer: '200' },
  { route: 'get /findings', answer: '200' },
  { route: 'post /findings/fix', body: { fixes: ['none'] }, answer: '200' },
  { route: 'get /history', answer: '200' },
  { route: 'get /changes', answer: '200' },
  { route: 'get /history/:entry', path: '/history/999999', answer: '404 entry_not_found' },
  { route: 'post /restore', body: { entry: 999_999 }, answer: '404 entry_not_found' },
  { route: 'post /preview', answer: '400 page_required' },
  { route: 'post /batch', body: { requests: [] }, answer: '400 rest_invalid_param' },
  { route: 'get /data/:source', path: '/data/site.title', answer: '200' },
  { route: 'get /completions', answer: '200' },
  { route: 'get /work', answer: '200' },
  { route: 'get /webhooks', answer: '200' },
  { route: 'post /webhooks', body: { url: 'none' }, answer: '400 rest_invalid_param' },
  { route: 'get /webhooks/:id', path: '/webhooks/none', answer: '404 webhook_not_found' },
  {
    route: 'patch /webhooks/:id',
    path: '/webhooks/none',
    body: { enabled: true },
    answer: '404 webhook_not_found',
  },
  { route: 'delete /webhooks/:id', path: '/webhooks/none', answer: '404 webhook_not_found' },
  {
    route: 'post /webhooks/:id/rotate',
    path: '/webhooks/none/rotate',
    answer: '404 webhook_not_found',
  },
  {
    route: 'get /webhooks/:id/deliveries',
    path: '/webhooks/none/deliveries',
    answer: '404 webhook_not_found',
  },
  {
    route: 'post /webhooks/:id/test',
    path: '/webhooks/none/test',
    answer: '404 webhook_not_found',
  },
  {
    route: 'post /webhooks/:id/replay',
    path: '/webhooks/none/replay',
    body: { delivery: 1 },
    answer: '404 webhook_not_found',
  },
  { route: 'post /changed', body: { posts: [1] }, answer: '200' },
]
