/** The address of the API in the built pages. The service replaces it with its BASE_PATH (`src/api/docs/serve-docs.ts`). */
export const API_BASE = '/wp-frames-base'
