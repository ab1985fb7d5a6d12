import { describe, expect, it } from 'vitest'
import { useFramesApi } from '../support/frames-api.ts'

const frames = await useFramesApi()
const alice = await frames.api.as('alice')

/** The parts in the header and their durations. */
const timingOf = (header: string | undefined): Record<string, number> =>
  Object.fromEntries(
    (header ?? '').split(', ').map((entry) => {
      const [, name = '', spent] = /^(\w+);dur=(\d+\.\d)$/.exec(entry) ?? []
      return [name, Number(spent)]
    }),
  )

describe('Server-Timing', () => {
  it('reports the time of authentication, work and building', async () => {
    const read = await alice.get('/site/2/frames').expect(200)
    expect(Object.keys(timingOf(read.get('Server-Timing'))).sort()).toEqual([
      'auth',
      'total',
      'work',
    ])
    const written = await alice
      .post('/site/2/frames')
      .send({ slug: 'timed', html: 'x' })
      .expect(200)
    const { auth = 0, work = 0, bake = 0, total = 0 } = timingOf(written.get('Server-Timing'))
    expect(bake).toBeGreaterThan(0)
    expect(work).toBeGreaterThanOrEqual(bake)
    expect(total).toBeGreaterThanOrEqual(Math.max(auth, work))
  })

  it('measures each request separately', async () => {
    const alone = timingOf((await alice.get('/site/2/frames/timed')).get('Server-Timing'))
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        at % 2 === 0
          ? alice.get('/site/2/frames/timed')
          : alice.put('/site/2/frames/timed').send({ html: `${at}` }),
      ),
    )
    const names = answers.map((answer) => Object.keys(timingOf(answer.get('Server-Timing'))).sort())
    expect(names.filter((_, at) => at % 2 === 0)).toEqual(Array(4).fill(Object.keys(alone).sort()))
  })

  it('is sent with errors of an endpoint, and not with errors before it', async () => {
    const refused = await alice.get('/site/2/frames/none').expect(404)
    expect(timingOf(refused.get('Server-Timing'))).toHaveProperty('work')
    const nobody = await frames.api.as()
    for (const answer of [
      await nobody.get('/site/2/frames').expect(401),
      await alice.get('/site/3/frames').expect(404),
      await alice.get('/site/99/frames').expect(404),
      await alice.get('/none').expect(404),
    ]) {
      expect(answer.get('Server-Timing')).toBeUndefined()
    }
  })
})
