import { describe, expect, it } from 'vitest'
import { CHECKS } from '../../../src/network/doctor/check-codes.ts'

/** What only programs understand: methods, paths, statuses, JSON and names with underscores. */
const FOR_PROGRAMS =
  /\b(?:GET|POST|PUT|PATCH|DELETE)\b|\/(?:frames|menus|pages|site|network)\b|\b[2-5]\d\d\b|\{"|[a-z]_[a-z]/

describe('the table of findings', () => {
  const rows = Object.entries(CHECKS)

  it.each(rows)('says in plain language what %s is, and what visitors see', (_, row) => {
    expect(row.title).toMatch(/^[A-Z].*[a-z]$/)
    expect(row.title.length).toBeLessThan(65)
    for (const text of [row.title, row.impact]) expect(text).not.toMatch(FOR_PROGRAMS)
    expect(row.fixHint).not.toBe('')
  })

  it('names no request in what editors do', () => {
    const hints = rows.flatMap(([, { fixedBy, fixHint }]) => (fixedBy === 'editor' ? fixHint : []))
    // The name of an option is what somebody restores from a backup.
    for (const hint of hints)
      expect(hint.replaceAll(/svc_frame_\{id\}|"[^"]*"/g, '')).not.toMatch(FOR_PROGRAMS)
  })

  it('has a title of its own for each code', () => {
    const titles = rows.map(([, { title }]) => title)
    expect(titles).toEqual([...new Set(titles)])
  })
})
