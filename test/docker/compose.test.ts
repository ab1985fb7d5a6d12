import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EnvironmentSchema } from '../../src/config/config.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found)

const compose = textOf('docker/compose.production.yaml')

describe('compose.production.yaml', () => {
  it('sets only variables that the service reads', () => {
    const read = new Set(Object.keys(EnvironmentSchema.shape))
    const set = matches(compose, /^ {2,6}([A-Z_]+): /gm)
    expect(set).toContain('DATABASE_URL')
    expect(set.filter((name) => !read.has(name))).toEqual([])
  })

  it('requires only variables that the example contains', () => {
    const named = matches(textOf('docker/production.env.example'), /^([A-Z_]+)=/gm)
    expect(named).toEqual(expect.arrayContaining(matches(compose, /\$\{([A-Z_]+):\?/g)))
  })
})

describe('the image', () => {
  it('copies only files that exist and that .dockerignore includes', () => {
    const copied = matches(textOf('docker/Dockerfile'), /^COPY (?!--from)(.+) \S+$/gm).flatMap(
      (paths) => paths.split(' '),
    )
    const included = new Set(matches(textOf('docker/Dockerfile.dockerignore'), /^!(.+)$/gm))
    expect(copied).toContain('src')
    expect(copied.filter((path) => !included.has(path) || !existsSync(join(ROOT, path)))).toEqual(
      [],
    )
  })

  it('contains the files of the package', () => {
    const { files } = JSON.parse(textOf('package.json'))
    const copied = matches(textOf('docker/Dockerfile'), /^COPY .*?(\w+)\/?$/gm)
    // Of the folder `docker`, only the health check; what is in `ops` is for other programs.
    const own = files.filter((name: string) => name !== 'ops')
    expect(copied).toEqual(expect.arrayContaining([...own, 'node_modules']))
  })

  it('uses a Node.js version that the package supports', () => {
    const [node = 0] = matches(textOf('docker/Dockerfile'), /^FROM node:(\d+)/gm).map(Number)
    const { engines } = JSON.parse(textOf('package.json'))
    expect(node).toBeGreaterThanOrEqual(Number.parseInt(engines.node.slice(2), 10))
  })
})
