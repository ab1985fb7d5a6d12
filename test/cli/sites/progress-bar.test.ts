import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ProgressBar } from '../../../src/cli/sites/progress-bar.ts'
import type { Site } from '../../../src/wordpress/network/site.ts'

const site = { domain: 'net.test', path: '/shop/' } as Site
const { isTTY, columns } = process.stderr
let written = ''

function terminal(attached: boolean): void {
  Object.assign(process.stderr, { isTTY: attached, columns: 80 })
}

beforeEach(() => {
  written = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text)
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  Object.assign(process.stderr, { isTTY, columns })
})

function runOver(sites: number): void {
  const bar = new ProgressBar(sites)
  const progress = bar.begin(site)
  progress.expect(4)
  progress.tick()
  bar.finish()
  bar.stop()
}

describe('ProgressBar', () => {
  it('shows the steps of a single site', () => {
    terminal(true)
    runOver(1)
    const filled = `${'█'.repeat(10)}${'░'.repeat(30)}`
    expect(written).toContain(`${filled} 1/4  net.test/shop`)
  })

  it('shows the number of completed sites and the steps of the current one, and clears its line at the end', () => {
    terminal(true)
    runOver(2)
    expect(written).toContain('0/2  net.test/shop 1/4')
    expect(written).toContain('1/2')
    expect(written.endsWith('\r\u001b[K')).toBe(true)
  })

  it('writes nothing if standard error is not a terminal', () => {
    terminal(false)
    runOver(2)
    expect(written).toBe('')
  })
})
