import { describe, expect, it } from 'vitest'
import { EnvironmentSchema } from '../../../src/host/config/config.ts'
import { RETIRED } from '../../../src/host/config/retired.ts'
import { runCommand } from '../../support/cli.ts'
import { configMessage } from '../../support/config-message.ts'

describe.each(Object.entries(RETIRED))('the retired variable %s', (name, sentence) => {
  it('is refused with a sentence about it, besides what else is invalid', () => {
    expect(configMessage({ [name]: '1', PORT: 'x' })).toBe(
      `${sentence}\nPORT must be a whole number from 0 to 65535`,
    )
    expect(sentence).toMatch(new RegExp(`^${name} is no longer a setting`))
  })

  it('is no fault while it is empty, and no setting any more', () => {
    expect(configMessage({ [name]: '' })).toBeUndefined()
    expect(Object.keys(EnvironmentSchema.shape)).not.toContain(name)
  })

  it.each(['serve', 'serve executor', 'sites', 'doctor'])(
    'ends the start of %s',
    async (command) => {
      const { code, stderr } = await runCommand(command.split(' '), { [name]: '1' })
      expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
    },
  )
})
