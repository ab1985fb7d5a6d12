import type { Method } from '../api/endpoint.ts'

/** An endpoint whose successful response is known to the compiler. */
export type Answers<Body> = { readonly $response?: Body }

/** An endpoint that commands call: its route is enough for a request over HTTP, and the endpoint itself is loaded for a call in this process. */
export type CalledEndpoint<Called extends Answers<object> = Answers<object>> = {
  readonly method: Method
  /** Below the site; of an endpoint without a site, below the API. */
  readonly path: string
  readonly load: () => Promise<Called>
}

const calledEndpoint = <Called extends Answers<object>>(
  method: Method,
  path: string,
  load: () => Promise<Called>,
): CalledEndpoint<Called> => ({ method, path, load })

export const listFindingsEndpoint = calledEndpoint(
  'get',
  '/findings',
  async () => (await import('../api/endpoints/findings.ts')).listFindingsEndpoint,
)
export const renameFrameEndpoint = calledEndpoint(
  'patch',
  '/frames/:ref',
  async () => (await import('../api/endpoints/frame-writes.ts')).renameFrameEndpoint,
)
export const getFrameEndpoint = calledEndpoint(
  'get',
  '/frames/:ref',
  async () => (await import('../api/endpoints/frames.ts')).getFrameEndpoint,
)
export const assignFrameEndpoint = calledEndpoint(
  'post',
  '/frames/:ref/assign',
  async () => (await import('../api/endpoints/frame-writes.ts')).assignFrameEndpoint,
)
export const listFramesEndpoint = calledEndpoint(
  'get',
  '/frames',
  async () => (await import('../api/endpoints/frames.ts')).listFramesEndpoint,
)
export const deleteFrameEndpoint = calledEndpoint(
  'delete',
  '/frames/:ref',
  async () => (await import('../api/endpoints/frame-writes.ts')).deleteFrameEndpoint,
)
export const getGraphEndpoint = calledEndpoint(
  'get',
  '/graph',
  async () => (await import('../api/endpoints/graph.ts')).getGraphEndpoint,
)
export const restoreEndpoint = calledEndpoint(
  'post',
  '/restore',
  async () => (await import('../api/endpoints/restore.ts')).restoreEndpoint,
)
export const listHistoryEndpoint = calledEndpoint(
  'get',
  '/history',
  async () => (await import('../api/endpoints/history.ts')).listHistoryEndpoint,
)
export const listNetworkHistoryEndpoint = calledEndpoint(
  'get',
  '/network/history',
  async () => (await import('../api/endpoints/history.ts')).listNetworkHistoryEndpoint,
)
export const getNetworkEntryEndpoint = calledEndpoint(
  'get',
  '/network/history/:entry',
  async () => (await import('../api/endpoints/history.ts')).getNetworkEntryEndpoint,
)
export const listChangesEndpoint = calledEndpoint(
  'get',
  '/changes',
  async () => (await import('../api/endpoints/changes.ts')).listChangesEndpoint,
)
export const listNetworkChangesEndpoint = calledEndpoint(
  'get',
  '/network/changes',
  async () => (await import('../api/endpoints/changes.ts')).listNetworkChangesEndpoint,
)
export const listMenusEndpoint = calledEndpoint(
  'get',
  '/menus',
  async () => (await import('../api/endpoints/menus.ts')).listMenusEndpoint,
)
export const getMenuEndpoint = calledEndpoint(
  'get',
  '/menus/:ref',
  async () => (await import('../api/endpoints/menus.ts')).getMenuEndpoint,
)
export const createMenuItemEndpoint = calledEndpoint(
  'post',
  '/menus/:ref/items',
  async () => (await import('../api/endpoints/menu-items.ts')).createMenuItemEndpoint,
)
export const updateMenuItemEndpoint = calledEndpoint(
  'patch',
  '/menus/:ref/items/:id',
  async () => (await import('../api/endpoints/menu-items.ts')).updateMenuItemEndpoint,
)
export const reorderMenuItemsEndpoint = calledEndpoint(
  'post',
  '/menus/:ref/reorder',
  async () => (await import('../api/endpoints/menu-items.ts')).reorderMenuItemsEndpoint,
)
export const deleteMenuItemEndpoint = calledEndpoint(
  'delete',
  '/menus/:ref/items/:id',
  async () => (await import('../api/endpoints/menu-items.ts')).deleteMenuItemEndpoint,
)
export const runBatchEndpoint = calledEndpoint(
  'post',
  '/batch',
  async () => (await import('../api/endpoints/batch.ts')).runBatchEndpoint,
)
export const getPlanEndpoint = calledEndpoint(
  'get',
  '/network/plans/:id',
  async () => (await import('../api/endpoints/plans.ts')).getPlanEndpoint,
)
export const listPlansEndpoint = calledEndpoint(
  'get',
  '/network/plans',
  async () => (await import('../api/endpoints/plans.ts')).listPlansEndpoint,
)
export const getNetworkWorkEndpoint = calledEndpoint(
  'get',
  '/network/work',
  async () => (await import('../api/endpoints/work.ts')).getNetworkWorkEndpoint,
)
export const getWorkEndpoint = calledEndpoint(
  'get',
  '/work',
  async () => (await import('../api/endpoints/work.ts')).getWorkEndpoint,
)
export const getMeEndpoint = calledEndpoint(
  'get',
  '/me',
  async () => (await import('../api/endpoints/sites.ts')).getMeEndpoint,
)
export const listSitesEndpoint = calledEndpoint(
  'get',
  '/sites',
  async () => (await import('../api/endpoints/sites.ts')).listSitesEndpoint,
)
export const listTokensEndpoint = calledEndpoint(
  'get',
  '/network/tokens',
  async () => (await import('../api/endpoints/tokens.ts')).listTokensEndpoint,
)
export const issueTokenEndpoint = calledEndpoint(
  'post',
  '/network/tokens',
  async () => (await import('../api/endpoints/tokens.ts')).issueTokenEndpoint,
)
export const revokeTokenEndpoint = calledEndpoint(
  'delete',
  '/network/tokens/:id',
  async () => (await import('../api/endpoints/tokens.ts')).revokeTokenEndpoint,
)
