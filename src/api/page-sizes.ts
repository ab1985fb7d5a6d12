/** Sites on a page of a plan. */
export const MAX_SITES_PER_PAGE = 200
export const DEFAULT_SITES_PER_PAGE = 20
/** Plans in a list. */
export const PLANS_PER_PAGE = { max: 200, byDefault: 20 }
/** Sites on a page: each is compared with its description while the client waits. */
export const DRIFT_SITES_PER_PAGE = { max: 20, byDefault: 10 }
