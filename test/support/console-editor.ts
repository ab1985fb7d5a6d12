import type { Page } from '../packages/playwright.ts'

/** Replaces the text of the markup editor by the keyboard. */
export async function typeMarkup(page: Page, markup: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Markup of/ }).focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(markup)
}

/** The text in the markup editor, as far as it has rendered its lines: the first hundred or so. */
export const markupIn = async (page: Page): Promise<string> => {
  const editor = page.getByRole('textbox', { name: /^Markup of/ })
  await editor.waitFor()
  return (await editor.locator('.cm-line').allTextContents()).join('\n')
}
