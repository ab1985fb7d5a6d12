/** All pages of a list, read as a client does: each one after the `next` of the one before. */
export async function pagesOf<Page extends { readonly next: number | string | null }>(
  read: (after: string) => Promise<Page>,
): Promise<Page[]> {
  const pages: Page[] = []
  for (let after: number | string | null = ''; after !== null; after = pages.at(-1)?.next ?? null)
    pages.push(await read(encodeURIComponent(after)))
  return pages
}
