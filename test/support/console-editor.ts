import type { Page } from 'playwright-core'

/** Replaces the text of the markup editor by the keyboard: it may be a field or an element that is edited. */
export async function typeMarkup(page: Page, markup: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Markup of/ }).focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(markup)
}

/** The text in the markup editor. */
export const markupIn = async (page: Page): Promise<string> => {
  const editor = page.getByRole('textbox', { name: /^Markup of/ })
  await editor.waitFor()
  return editor.evaluate((element) => {
    const { value, innerText } = element as { readonly value?: string; readonly innerText: string }
    return value ?? innerText
  })
}
