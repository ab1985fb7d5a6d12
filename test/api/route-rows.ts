/** A request that changes nothing, so that every administrator of a site always gets the same response. */
export type RouteRow = {
  /** Method and path of the endpoint's definition. */
  readonly route: string
  /** The path of the request below the site. */
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>> | undefined
  /** The response to an administrator: the status, and the code of an error. */
  readonly answer: string
}

/** Parameters that name nothing, except of a source. */
const PARAMS: Readonly<Record<string, string>> = {
  ref: 'none',
  id: 'none',
  entry: '999999',
  source: 'site.title',
}

/** A row; parameters of the path that are not given name nothing. */
export const row = (
  route: string,
  answer: string,
  body?: RouteRow['body'],
  path = route.replace(/^\w+ /, '').replace(/:(\w+)/g, (_, name) => PARAMS[name] ?? ''),
): RouteRow => ({ route, path, body, answer })

/** One row per route. A new route needs a row here. */
export const routeRows: readonly RouteRow[] = [
  row('get /frames/defaults', '410 gone'),
  row('post /frames/defaults', '410 gone'),
  row('put /frames/defaults', '410 gone'),
  row('patch /frames/defaults', '410 gone'),
  row('delete /frames/defaults', '410 gone'),
  row('post /frames/:ref/default', '410 gone'),
  row('post /frames/rebake', '400 nothing_to_rebake'),
  row('post /frames/check', '200', { frames: [] }),
  row('get /frames', '200'),
  row('post /frames', '200', { slug: 'new', html: '<p>new</p>', dry_run: true }),
  row('get /frames/:ref', '404 frame_not_found'),
  row('put /frames/:ref', '404 frame_not_found', { html: '<p>new</p>' }),
  row('patch /frames/:ref', '404 frame_not_found', { slug: 'new' }),
  row('delete /frames/:ref', '404 frame_not_found'),
  row('post /frames/:ref/assign', '404 frame_not_found', { page: 3 }),
  row('post /frames/:ref/rebake', '404 frame_not_found'),
  row('get /menus', '200'),
  row('post /menus', '400 menu_name_required'),
  row('patch /menus/:ref', '404 menu_not_found', { name: 'New' }),
  row('delete /menus/:ref', '404 menu_not_found'),
  row('put /menus/:ref/location', '404 menu_not_found', { location: 'header' }),
  row('put /menus/:ref/items', '404 menu_not_found', { items: [] }),
  row('post /menus/:ref/items', '404 menu_not_found', { url: '/new/', title: 'New' }),
  row('patch /menus/:ref/items/:id', '404 menu_not_found', { title: 'New' }, '/menus/none/items/1'),
  row('delete /menus/:ref/items/:id', '404 menu_not_found', undefined, '/menus/none/items/1'),
  row('post /menus/:ref/reorder', '404 menu_not_found', { order: [1] }),
  row('get /menus/:ref', '404 menu_not_found'),
  row('get /menus/:ref/targets', '404 menu_not_found'),
  row('get /menus/:ref/file', '404 menu_not_found'),
  row('get /graph', '404 frame_not_found', undefined, '/graph?frame=none'),
  row('get /pages', '200'),
  row('get /address', '200', undefined, '/address?url=/shop/'),
  row('get /description', '200'),
  row('get /findings', '200'),
  row('post /findings/fix', '200', { fixes: ['none'] }),
  row('get /history', '200'),
  row('get /changes', '200'),
  row('get /history/:entry', '404 entry_not_found'),
  row('post /restore', '404 entry_not_found', { entry: 999_999 }),
  row('post /preview', '400 page_required'),
  row('post /batch', '400 rest_invalid_param', { requests: [] }),
  row('get /data/:source', '200'),
  row('get /completions', '200'),
  row('get /work', '200'),
  row('get /webhooks', '200'),
  row('post /webhooks', '400 rest_invalid_param', { url: 'none' }),
  row('get /webhooks/:id', '404 webhook_not_found'),
  row('patch /webhooks/:id', '404 webhook_not_found', { enabled: true }),
  row('delete /webhooks/:id', '404 webhook_not_found'),
  row('post /webhooks/:id/rotate', '404 webhook_not_found'),
  row('get /webhooks/:id/deliveries', '404 webhook_not_found'),
  row('post /webhooks/:id/test', '404 webhook_not_found'),
  row('post /webhooks/:id/replay', '404 webhook_not_found', { delivery: 1 }),
  row('post /changed', '200', { posts: [1] }),
]
