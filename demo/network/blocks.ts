/**
 * The content of a page as the block editor stores it. The source has one block a line: `## ` begins a heading, `> ` a quote, `- ` an entry of a list,
 * anything else is a paragraph. A line may contain HTML.
 */
export function blocksOf(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '')
  const blocks: string[] = []
  for (let entries: string[] = []; lines.length > 0; ) {
    const line = lines.shift() ?? ''
    if (!line.startsWith('- ')) {
      blocks.push(blockOf(line))
      continue
    }
    entries.push(line)
    if (lines[0]?.startsWith('- ')) continue
    blocks.push(listOf(entries))
    entries = []
  }
  return blocks.join('\n\n')
}

function blockOf(line: string): string {
  if (line.startsWith('## '))
    return block('heading', `<h2 class="wp-block-heading">${line.slice(3)}</h2>`)
  if (line.startsWith('> '))
    return block(
      'quote',
      `<blockquote class="wp-block-quote">${block('paragraph', `<p>${line.slice(2)}</p>`)}</blockquote>`,
    )
  return block('paragraph', `<p>${line}</p>`)
}

function listOf(entries: readonly string[]): string {
  const items = entries.map((entry) => block('list-item', `<li>${entry.slice(2)}</li>`))
  return block('list', `<ul class="wp-block-list">${items.join('\n\n')}</ul>`)
}

const block = (name: string, html: string): string =>
  `<!-- wp:${name} -->\n${html}\n<!-- /wp:${name} -->`
