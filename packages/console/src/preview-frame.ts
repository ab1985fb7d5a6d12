/**
 * Runs in `/console/preview-frame`, a sandboxed document of its own origin: shows the HTML that the console sends. Scripts of the page never run:
 * they are removed here, and the policy of the document allows none.
 */
export type PreviewMessage = { readonly html: string; readonly baseUrl: string }

addEventListener('message', ({ source, origin, data }: MessageEvent<PreviewMessage>) => {
  if (source !== parent || origin !== location.origin) return
  const page = new DOMParser().parseFromString(data.html, 'text/html')
  // Of links, only style sheets show: what else one names, such as a prefetch, would be loaded for nothing.
  for (const element of page.querySelectorAll(
    'script, iframe, frame, object, embed, meta[http-equiv], base, link:not([rel~="stylesheet" i])',
  ))
    element.remove()
  // Images and styles of the page are relative to its own address.
  const base = page.createElement('base')
  base.href = data.baseUrl
  page.head.prepend(base)
  const isSamePage = base.href === document.querySelector('base')?.href
  const { scrollX, scrollY } = window
  document.replaceChild(document.adoptNode(page.documentElement), document.documentElement)
  // Who types goes on looking at the same lines of the page.
  if (isSamePage) scrollTo(scrollX, scrollY)
})

/** Links and forms do nothing: a preview shows one page. */
for (const type of ['click', 'auxclick'])
  addEventListener(
    type,
    (event) => {
      const isLink = event
        .composedPath()
        .some((element) => element instanceof Element && /^(?:a|area)$/i.test(element.localName))
      if (isLink) event.preventDefault()
    },
    { capture: true },
  )
addEventListener('submit', (event) => event.preventDefault(), { capture: true })
