import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFolder } from '../../src/cli/network/read-folder.ts'
import { parseDescription } from '../support/parse-description.ts'
import { useFolder } from '../support/use.ts'

const guide = await readFile(resolve(import.meta.dirname, '../../docs/network.md'), 'utf8')
const folder = await useFolder('guide')

/** The first fenced block of this language. */
function block(language: string): string {
  const [, text] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(guide) ?? []
  if (text === undefined) throw new Error(`the guide has no block "${language}"`)
  return text
}

describe('the guide to the network as code', () => {
  it('shows a folder that can be read', async () => {
    const [, ...files] = block('').trim().split(/\s+/)
    expect(files.length).toBeGreaterThan(4)
    for (const name of files) {
      const content = name.endsWith('.html') ? '<p></p>' : 'name: Main\nslug: main'
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), name === 'network.yaml' ? block('yaml') : content)
    }
    const { bundles } = (await readFolder(folder)).description
    expect(bundles.shop?.frames.map(({ slug }) => slug)).toEqual(['footer', 'header'])
    expect(bundles.shop?.menus).toHaveLength(1)
    expect(bundles.legal?.frames).toMatchObject([{ slug: 'imprint', formerly: ['legal-notice'] }])
  })

  it('shows a description in JSON', () => {
    expect(parseDescription(JSON.parse(block('json')))).toMatchObject({ name: 'shops' })
  })

  it('lists the options that selections can compare, and no other', () => {
    const [, listed = ''] = /options that visitors can see \((.*?)\)/.exec(guide) ?? []
    const names = [...listed.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
    const accepts = (name: string): boolean => {
      const sites = [{ match: { option: { [name]: 'x' } } }]
      try {
        return Boolean(parseDescription({ version: 1, name: 'x', bundles: {}, sites }))
      } catch {
        return false
      }
    }
    expect(names.length).toBeGreaterThan(5)
    expect(names.filter((name) => !accepts(name))).toEqual([])
    expect(accepts('svc_label_region')).toBe(true)
    for (const name of ['admin_email', 'mailserver_pass', 'siteurl2', 'svc_label_', 'svc_frames'])
      expect([name, accepts(name)]).toEqual([name, false])
  })
})
