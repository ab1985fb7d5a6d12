import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { GaveWayError, WritersFirst } from '../../src/db/writers-first.ts'

const never = () => new Promise<never>(() => {})

it('stops a preview when a writer of its site comes, and of no other site', async () => {
  const first = new WritersFirst(1000)
  const own = first.preview(2, never)
  const other = first.preview(3, () => sleep(20, 'shown'))
  const written = first.write(2, async () => 'written')
  await expect(own).rejects.toThrow(GaveWayError)
  expect(await Promise.all([written, other])).toEqual(['written', 'shown'])
})

it('begins a preview after all writers that wait or run', async () => {
  const first = new WritersFirst(60_000)
  const order: string[] = []
  const write = (ms: number, name: string) =>
    first.write(2, async () => {
      await sleep(ms)
      order.push(name)
    })
  const writes = [write(30, 'long'), write(1, 'short')]
  await first.preview(2, async () => order.push('preview'))
  await Promise.all(writes)
  expect(order).toEqual(['short', 'long', 'preview'])
})

it('gives up a preview if writers come all the time', async () => {
  const first = new WritersFirst(20)
  void first.write(2, never)
  await expect(first.preview(2, async () => {})).rejects.toThrow(GaveWayError)
})

it('stops a preview that has waited for writers when another one comes', async () => {
  const first = new WritersFirst(60_000)
  const writing = first.write(2, () => sleep(20))
  let begun = (): void => {}
  const running = new Promise<void>((resolve) => {
    begun = resolve
  })
  const preview = first.preview(2, () => {
    begun()
    return sleep(5000, 'shown', { ref: false })
  })
  await writing
  await running
  await first.write(2, async () => {})
  await expect(preview).rejects.toThrow(GaveWayError)
})
