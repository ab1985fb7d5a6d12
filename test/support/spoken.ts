import type { Page } from '../packages/playwright.ts'

const LISTEN = `
  globalThis.said = []
  new MutationObserver((records) => {
    for (const { target, addedNodes, type } of records) {
      const element = target instanceof Element ? target : target.parentElement
      const region = element?.closest('[role=status], [role=alert]')
      if (!region || (document.querySelector('dialog:modal') && !region.closest('dialog'))) continue
      const nodes = type === 'characterData' ? [target] : [...addedNodes]
      for (const { textContent } of nodes) if (textContent) said.push(textContent)
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true })
`

/**
 * Collects what the live regions of a page say from now on, as a screen reader would speak it: text that is added to one, unless it is outside of an
 * open modal dialog, where it is inert.
 * @returns what was said since the last call
 */
export async function listenTo(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(LISTEN)
  return () => page.evaluate<string[]>('said.splice(0)')
}

/** The element with the focus: `h1: Edit page`. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(
    `document.activeElement === document.body ? 'body'
      : document.activeElement.localName + ': ' + document.activeElement.textContent`,
  )
