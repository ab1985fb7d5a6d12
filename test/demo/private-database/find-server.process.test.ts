import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findServerBinary } from '../../../demo/private-database/find-server.ts'

describe('findServerBinary', () => {
  let folder: string
  const program = (name: string, output = ''): string => {
    const path = join(folder, name)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, `#!/bin/sh\necho '${output}'\n`, { mode: 0o755 })
    return path
  }
  const find = () => findServerBinary(`${folder}/a::${folder}/b`, [join(folder, 'c')])

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'binary-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('finds none', () => {
    expect(find()).toBeUndefined()
  })

  it('finds a MariaDB that can create a data directory', () => {
    const path = program('c/mariadbd', 'mariadbd  Ver 10.11.6-MariaDB-0+deb12u1 for debian-linux')
    expect(find()).toBeUndefined()
    const installer = program('b/mariadb-install-db')
    expect(find()).toBeUndefined()
    program('b/my_print_defaults')
    expect(find()).toEqual({ flavour: 'MariaDB', version: '10.11.6', path, installer })
  })

  it('finds a MySQL, which needs no tools', () => {
    const path = program('a/mysqld', '/usr/sbin/mysqld  Ver 8.0.36 for Linux on x86_64')
    expect(find()).toEqual({ flavour: 'MySQL', version: '8.0.36', path })
  })

  it('ignores programs that do not run', () => {
    writeFileSync(program('a/mariadbd'), '')
    chmodSync(join(folder, 'a/mariadbd'), 0o644)
    expect(find()).toBeUndefined()
    program('b/mysqld', 'not a server')
    expect(find()).toBeUndefined()
    const path = program('a/mysqld', 'mysqld  Ver 8.4.3 for Linux on x86_64')
    expect(find()?.path).toBe(path)
  })
})
