import { describe, expect, it } from 'vitest'
import { parseOptions } from '../../tools/matrix/options.ts'
import { type Cell, mergeCells, resultTable } from '../../tools/matrix/results.ts'
import { findTotals } from '../../tools/matrix/run-suite.ts'

describe('the options of the matrix', () => {
  it('choose everything by default', () => {
    expect(parseOptions([])).toEqual({
      databases: ['mariadb', 'mariadb-11', 'mysql'],
      nodes: ['20', '22', '24'],
      suites: ['test', 'compat', 'torture'],
      write: false,
      help: false,
    })
  })

  it('choose some, in the order of the table', () => {
    const args = ['--databases', 'mysql,mariadb', '--node', '24', '--suites=compat', '--write']
    expect(parseOptions(args)).toMatchObject({
      databases: ['mariadb', 'mysql'],
      nodes: ['24'],
      suites: ['compat'],
      write: true,
    })
  })

  it.each([
    [['--node', '18'], '--node takes 20, 22, 24, not "18".'],
    [['--node', '20,v22'], '--node takes 20, 22, 24, not "20,v22".'],
    [['--suites', ''], '--suites takes test, compat, torture, not "".'],
    [['--databases', 'postgres'], '--databases takes mariadb, mariadb-11, mysql, not "postgres".'],
    [['--nodes', '20'], 'Unknown option'],
    [['20'], 'Unexpected argument'],
  ])('reject %j', (args, message) => {
    expect(() => parseOptions(args)).toThrow(message)
  })
})

describe('the totals of a suite', () => {
  it('are those of the last line in their format', () => {
    const output = '1 passed, 1 failed\nlog: 7 passed, 0 failed\n12 passed, 0 failed, 3 skipped\n\n'
    expect(findTotals(output)).toEqual({ passed: 12, failed: 0, skipped: 3 })
    expect(findTotals('190 passed, 2 failed\n')).toEqual({ passed: 190, failed: 2, skipped: 0 })
  })

  it('are missing if the suite did not report them', () => {
    expect(findTotals('Tests  12 passed (12)\nnpm error code 1\n')).toBeUndefined()
  })
})

describe('the table', () => {
  const cell = (change: Partial<Cell>): Cell => ({
    database: 'mariadb',
    node: '20',
    suite: 'test',
    databaseVersion: 'MariaDB 10.11.19',
    nodeVersion: '20.20.2',
    date: '2026-11-01',
    totals: { passed: 5, failed: 0, skipped: 0 },
    ...change,
  })

  it('keeps the results of combinations that were not run again', () => {
    const mysql = { database: 'mysql', databaseVersion: 'MySQL 9.7.0' } as const
    const earlier = [cell({}), cell({ suite: 'torture' }), cell({ ...mysql, totals: undefined })]
    const again = cell({ totals: { passed: 4, failed: 1, skipped: 2 }, date: '2026-11-02' })
    expect(
      resultTable(mergeCells(earlier, [again, cell({ node: '24', nodeVersion: '24.1.0' })])),
    ).toBe(`| database | Node | \`test\` | \`compat\` | \`torture\` |
|---|---|---|---|---|
| MariaDB 10.11.19 | 20.20.2 | 4 passed, 1 failed, 2 skipped (2026-11-02) |  | 5 passed, 0 failed (2026-11-01) |
| MariaDB 10.11.19 | 24.1.0 | 5 passed, 0 failed (2026-11-01) |  |  |
| MySQL 9.7.0 | 20.20.2 | ended without totals (2026-11-01) |  |  |`)
  })
})
