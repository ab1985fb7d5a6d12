/**
 * The address of the API in the built pages. The service replaces it with its BASE_PATH (`src/api/docs/serve-docs.ts`). With `https:/` before it,
 * VitePress takes an address for one of another program, and leaves it as it is.
 */
export const API_BASE = '/wp-frames-base'
