/** Where the dev server serves its own things. No page has such an address: WordPress removes `~` from slugs. */
export const EVENTS_PATH = '/~dev/events'
export const CLIENT_PATH = '/~dev/client.js'

/** The data of the script in a page. */
export type ClientData = {
  /** The state of the folder that the page was built from. */
  readonly revision: string
  readonly problems: readonly { readonly file: string; readonly message: string }[]
  /** Origins of the site, whose links are opened on the dev server. */
  readonly origins: readonly string[]
}

/**
 * Adds the script to a page, after its doctype: markup that is never closed cannot swallow it there. It adds itself to `head`, and the browser merges the
 * page's own `html` and `head` with what it has opened for the script.
 */
export function withClient(html: string, data: ClientData): string {
  const escaped = JSON.stringify(data).replace(/&/g, '&amp;').replace(/"/g, '&quot;')
  const script = `<script src="${CLIENT_PATH}" data-dev="${escaped}"></script>`
  const [start = ''] = /^\ufeff?\s*(?:<!doctype[^>]*>)?/i.exec(html) ?? []
  return `${start}${script}${html.slice(start.length)}`
}

/**
 * The script of every page: reloads it when the folder changes, shows the problems, and opens links to the site on the dev server. The page
 * itself stays as visitors get it.
 */
export const CLIENT = `(() => {
  const { revision, problems, origins } = JSON.parse(document.currentScript.dataset.dev)
  document.currentScript.remove()
  new EventSource('${EVENTS_PATH}').onmessage = ({ data }) => {
    if (data !== revision) location.reload()
  }
  addEventListener('click', (event) => {
    const link = event.composedPath()[0]?.closest?.('a[href], area[href]')
    const url = link && new URL(link.href)
    if (url && origins.includes(url.origin))
      link.href = location.protocol + '//' + location.host + url.pathname + url.search + url.hash
  }, true)
  const add = (parent, name, text = '') => {
    const element = document.createElement(name)
    element.textContent = text
    parent.append(element)
    return element
  }
  addEventListener('DOMContentLoaded', () => {
    if (problems.length === 0) return
    const host = add(document.documentElement, 'wp-frames-problems')
    const root = host.attachShadow({ mode: 'open' })
    add(root, 'style', \`
      section { position: fixed; inset: auto 0 0; z-index: 2147483647; max-height: 40vh; overflow: auto;
        padding: 12px 16px; background: #2b0b0e; color: #fff; font: 14px/1.5 ui-monospace, monospace;
        text-align: left; direction: ltr; border-top: 3px solid #f0616d; }
      h2 { margin: 0; font: bold 14px/1.5 system-ui, sans-serif; }
      ul { margin: 8px 0 0; padding-left: 20px; }
      li { white-space: pre-wrap; overflow-wrap: anywhere; }
      b { color: #ffb3b9; }
      button { position: absolute; top: 8px; right: 12px; font: inherit; }
    \`)
    const section = add(root, 'section')
    section.setAttribute('role', 'alert')
    add(section, 'h2', problems.length === 1 ? '1 problem' : problems.length + ' problems')
    const list = add(section, 'ul')
    for (const { file, message } of problems) {
      const item = add(list, 'li')
      if (file) add(item, 'b', file + ' ')
      item.append(message)
    }
    add(section, 'button', 'Hide').onclick = () => host.remove()
  })
})()
`
