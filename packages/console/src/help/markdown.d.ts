/** A guide, as `tools/build-console.ts` bundles it. */
declare module '*.md' {
  export const elements: readonly import('../../../../tools/markdown-elements.ts').MarkdownElement[]
}
