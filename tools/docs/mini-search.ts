/** The library of VitePress's search, which is installed with VitePress. */
export { default as MiniSearch } from 'minisearch'
