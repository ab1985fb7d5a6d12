import { describe, expect, it, vi } from 'vitest'
import { AppError } from '../../src/errors.ts'
import { getFrame } from '../../src/frames/read-frame.ts'
import { cloneNetwork } from '../support/network.ts'
import { use } from '../support/use.ts'
import { createRestoredSite } from './restored-site.ts'

const network = await use(cloneNetwork())
const { db } = network
const site = await network.site(2)
const { write, restore, newest } = createRestoredSite(network, site)

const htmlOf = async (slug: string) => (await getFrame(db, site, slug)).record.html

const markupRefusal = new AppError('unfiltered_html_required', 'not you')

/** Writes a frame twice. @returns the entry of the first write */
async function replaced(slug: string): Promise<number> {
  await write((shop) => shop.frame(slug, 'first'))
  const { id } = await newest()
  await write((shop) => shop.frame(slug, 'second'))
  return id
}

describe('a restore', () => {
  it('writes what a dry run shows; the dry run leaves nothing, not even an entry', async () => {
    const entry = await replaced('shown')
    const onRestored = vi.fn()
    const { id } = await newest()
    const { restored } = await restore({ entry }, { dryRun: true, onRestored })
    expect([await htmlOf('shown'), (await newest()).id]).toEqual(['second', id])
    expect(onRestored).not.toHaveBeenCalled()
    expect((await restore({ entry }, { onRestored })).restored).toEqual(restored)
    expect(onRestored).toHaveBeenCalledOnce()
    expect(await htmlOf('shown')).toBe('first')
  })

  it('is undone if what belongs to it fails', async () => {
    const entry = await replaced('undone')
    const onRestored = () => Promise.reject(new Error('not recorded'))
    await expect(restore({ entry }, { onRestored })).rejects.toThrow('not recorded')
    expect(await htmlOf('undone')).toBe('second')
  })

  it('writes no markup for a user who may not, but deletes frames', async () => {
    const entry = await replaced('refused')
    const refused = restore({ entry }, {}, { markupRefusal })
    await expect(refused).rejects.toMatchObject({ code: 'unfiltered_html_required' })
    expect(await htmlOf('refused')).toBe('second')
    const requestId = await write((shop) => shop.frame('deletable', ''))
    const deleted = await restore({ requestId }, {}, { markupRefusal })
    expect(deleted.restored).toMatchObject([{ name: 'deletable', action: 'deleted' }])
  })

  it('has the precondition of the one thing that it concerns', async () => {
    const entry = await replaced('tagged')
    const refused = restore({ entry }, { precondition: { ifMatch: ['other'] } })
    await expect(refused).rejects.toMatchObject({ code: 'precondition_failed' })
    expect(await htmlOf('tagged')).toBe('second')
  })
})
