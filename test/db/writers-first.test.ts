import { expect, it } from 'vitest'
import { GaveWayError, WritersFirst } from '../../src/db/writers-first.ts'

const never = () => new Promise<never>(() => {})

/** A promise that the test resolves. */
function deferred() {
  let resolve = (_: string): void => {}
  const promise = new Promise<string>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

it('the database stops a preview when a writer of its site comes, and of no other site', async () => {
  const first = new WritersFirst(1000)
  const own = first.preview(2, never)
  const shown = deferred()
  const other = first.preview(3, () => shown.promise)
  const written = first.write(2, async () => 'written')
  await expect(own).rejects.toThrow(GaveWayError)
  expect(await written).toBe('written')
  shown.resolve('shown')
  expect(await other).toBe('shown')
})

it('the database begins a preview after all writers that wait or run', async () => {
  const first = new WritersFirst(60_000)
  const order: string[] = []
  const [long, short] = [deferred(), deferred()]
  const write = async ({ promise }: typeof long) =>
    first.write(2, async () => void order.push(await promise))
  const writes = [write(long), write(short)]
  const preview = first.preview(2, async () => order.push('preview'))
  short.resolve('short')
  await writes[1]
  long.resolve('long')
  await Promise.all([...writes, preview])
  expect(order).toEqual(['short', 'long', 'preview'])
})

it('the database gives up a preview if writers come all the time', async () => {
  const first = new WritersFirst(20)
  void first.write(2, never)
  await expect(first.preview(2, async () => {})).rejects.toThrow(GaveWayError)
})

it('the database stops a preview that has waited for writers when another one comes', async () => {
  const first = new WritersFirst(60_000)
  const [written, begun] = [deferred(), deferred()]
  const writing = first.write(2, () => written.promise)
  const preview = first.preview(2, () => {
    begun.resolve('')
    return never()
  })
  written.resolve('')
  await writing
  await begun.promise
  await first.write(2, async () => {})
  await expect(preview).rejects.toThrow(GaveWayError)
})
